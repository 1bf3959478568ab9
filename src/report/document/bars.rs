//! Bars of block characters, for places that show no pictures.

/// The widest bar.
const WIDTH: usize = 24;
/// From nothing to a whole character, by eighths.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// A bar as long as `value` is of `most`, to an eighth of a character.
pub fn bar(value: f64, most: f64) -> String {
    if !(value > 0.0 && most > 0.0) {
        return String::new();
    }
    let eighths = libm::round(value.min(most) / most * (8 * WIDTH) as f64) as usize;
    // However short, it is seen.
    let eighths = eighths.max(1);
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_values() {
        assert_eq!(bar(2.0, 2.0), "█".repeat(24));
        assert_eq!(bar(1.0, 2.0), "█".repeat(12));
        assert_eq!(bar(1.0, 64.0), "▍");
        assert_eq!(bar(1e-9, 1.0), "▏");
        assert_eq!(bar(0.0, 1.0), "");
    }
}
