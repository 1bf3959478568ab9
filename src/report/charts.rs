//! Charts for design reviews, as SVG for pages and as PNG for places that show nothing else.
//!
//! A chart lays itself out as a [`scene::Scene`]: shapes and texts at fixed places, measured with
//! the font that ships here. The two writers, both on plotters' backends, turn the same scene into
//! SVG and PNG, so that the two agree and a test can prove that no label meets another. The
//! layout is our own because plotters' meshes place labels without looking at their neighbours.

pub mod arrivals;
mod axis;
mod callouts;
mod cells;
pub mod clients;
mod colour_scale;
mod dash;
mod disturbance;
pub mod endings;
mod error;
mod font;
mod grid;
mod hatch;
mod heading;
pub mod heatmap;
mod labels;
pub mod latency_map;
mod legend;
pub mod lines;
mod marker;
mod number;
mod outcome;
mod panels;
pub mod pareto;
pub mod phases;
mod quantity;
mod raster;
pub mod recovery;
mod reference;
mod scale;
pub mod scene;
mod span;
mod strip;
pub mod style;
mod svg;
mod ticks;
pub mod time_axis;
pub mod waterfall;

pub use arrivals::{ArrivalsChart, ArrivalsPanel};
pub use clients::{ClientsChart, ClientsPanel};
pub use endings::{Ending, EndingsChart, EndingsRow};
pub use error::ChartError;
pub use heatmap::{HeatmapCell, HeatmapChart, HeatmapPanel, HeatmapRow};
pub use latency_map::{LatencyMapChart, LatencyMapPanel};
pub use lines::{Line, LinePoint, LinesChart, LinesPanel};
pub use pareto::{Constraint, ParetoChart, ParetoPoint, Span};
pub use phases::{PhasesChart, PhasesPanel};
pub use quantity::{Quantity, Spacing};
pub use recovery::{RecoveryChart, RecoveryPanel};
pub use reference::Reference;
pub use style::Styles;
pub use ticks::Tick;
pub use waterfall::{WaterfallChart, WaterfallPanel};

use scene::Scene;

/// Something that can be drawn. Policies look the same in all charts drawn with the same
/// [`Styles`].
pub trait Chart: Send + Sync {
    /// Where everything goes.
    fn scene(&self, styles: &Styles) -> Scene;

    /// The chart as SVG: the same bytes for the same chart, with a title and a text summary.
    ///
    /// # Errors
    ///
    /// The drawing backend fails; nothing in a chart's data makes it.
    fn to_svg(&self, styles: &Styles) -> Result<String, ChartError> {
        self.scene(styles).to_svg()
    }

    /// The chart as PNG, two pixels for each of the SVG.
    ///
    /// # Errors
    ///
    /// The drawing backend or the encoder fails; nothing in a chart's data makes them.
    fn to_png(&self, styles: &Styles) -> Result<Vec<u8>, ChartError> {
        self.scene(styles).to_png()
    }
}
