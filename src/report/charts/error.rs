//! [`ChartError`]: why a chart could not be drawn.

use std::fmt;

/// A chart could not be drawn.
#[derive(Debug)]
pub enum ChartError {
    /// The drawing backend failed.
    Backend(String),
    /// The image could not be encoded.
    Encoding(png::EncodingError),
}

impl ChartError {
    /// A failure of one of plotters' backends, whose error types are generic.
    pub(super) fn backend(error: impl fmt::Display) -> Self {
        ChartError::Backend(error.to_string())
    }
}

impl fmt::Display for ChartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChartError::Backend(error) => write!(f, "can't draw the chart: {error}"),
            ChartError::Encoding(error) => write!(f, "can't encode the chart as PNG: {error}"),
        }
    }
}

impl std::error::Error for ChartError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ChartError::Backend(_) => None,
            ChartError::Encoding(error) => Some(error),
        }
    }
}

impl From<png::EncodingError> for ChartError {
    fn from(error: png::EncodingError) -> Self {
        ChartError::Encoding(error)
    }
}
