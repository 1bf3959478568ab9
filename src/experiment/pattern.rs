//! Patterns of names: `*` stands for any text, an empty one too.

/// Whether some name fits both `one` and `other`; each is a pattern or a plain name.
pub fn meet(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    // Whether what is left of both from here on has a name in common, found from the back: takes
    // time in proportion to both lengths, however many stars there are.
    let mut after = vec![false; other.len() + 1];
    for i in (0..=one.len()).rev() {
        let mut here = vec![false; other.len() + 1];
        for j in (0..=other.len()).rev() {
            here[j] = match (one.get(i), other.get(j)) {
                (None, None) => true,
                (Some(b'*'), None) => after[j],
                (None, Some(b'*')) => here[j + 1],
                (Some(b'*'), Some(_)) | (Some(_), Some(b'*')) => after[j] || here[j + 1],
                (Some(a), Some(b)) => a == b && after[j + 1],
                (None, Some(_)) | (Some(_), None) => false,
            };
        }
        after = here;
    }
    after[0]
}

/// Whether `part` stands for all names that `other` stands for.
pub fn covers(part: &str, other: &str) -> bool {
    part == "*" || part == other || (!is_pattern(other) && meet(part, other))
}

/// Whether `part` may stand for several names.
pub fn is_pattern(part: &str) -> bool {
    part.contains('*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_meet_where_a_name_fits_both() {
        for (one, other, common) in [
            ("full-jitter", "full-jitter", true),
            ("full-jitter", "full", false),
            ("full-*", "full-jitter", true),
            ("full-*", "full", false),
            ("*-jitter", "no-jitter", true),
            ("*", "anything", true),
            ("*", "", true),
            ("f*-*r", "full-jitter", true),
            ("full-*", "*-jitter", true),
            ("full-*", "no-*", false),
            ("a*b", "*", true),
            ("*a*", "b*", true),
            ("a*", "*b*c", true),
            ("a*c", "*b", false),
        ] {
            assert_eq!(meet(one, other), common, "{one} {other}");
            assert_eq!(meet(other, one), common, "{other} {one}");
        }
        let (stars, name) = ("a*".repeat(2_000), "a".repeat(3_000));
        assert!(meet(&stars, &name) && !meet(&format!("{stars}b"), &name));
    }

    #[test]
    fn a_pattern_covers_the_names_that_fit_it() {
        assert!(covers("*", "full-*") && covers("full-*", "full-*") && covers("full-*", "full-1"));
        assert!(!covers("full-1", "full-*") && !covers("full-*", "no-jitter"));
    }
}
