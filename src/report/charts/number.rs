//! Numbers as charts show them.

/// A number in full, with commas between thousands and `decimals` digits after the point.
pub fn grouped(value: f64, decimals: usize) -> String {
    let plain = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = match plain.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (plain.as_str(), None),
    };
    let mut out = String::new();
    // "-0" would be a sign without a meaning.
    if value < 0.0 && plain.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) {
        out.push('−');
    }
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

/// A measured value, to three digits or to the unit, whichever is finer.
pub fn rounded(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || size >= 100.0 {
        return grouped(value, 0);
    }
    let before_point = libm::floor(libm::log10(size)) as i32;
    let decimals = (2 - before_point).clamp(0, 9) as usize;
    let text = grouped(value, decimals);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        assert_eq!(grouped(1234567.0, 0), "1,234,567");
        assert_eq!(grouped(-999.5, 1), "−999.5");
        assert_eq!(grouped(-0.0, 1), "0.0");
        assert_eq!(grouped(1000.0, 0), "1,000");
    }

    #[test]
    fn measured_values_keep_three_digits() {
        for (value, text) in [
            (0.0, "0"),
            (0.012345, "0.0123"),
            (0.5, "0.5"),
            (12.345, "12.3"),
            (20.0, "20"),
            (412.4, "412"),
            (104857.0, "104,857"),
        ] {
            assert_eq!(rounded(value), text);
        }
    }
}
