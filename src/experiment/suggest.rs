//! "Did you mean …?"

/// The candidate nearest to `word`, if it is near enough to be a slip of the pen.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&word, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= (candidate.chars().count() / 3).max(2))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The help line for `word` where one of `candidates` was due.
pub fn help(word: &str, candidates: &[&str]) -> String {
    let allowed = format!("allowed: {}", candidates.join(", "));
    match nearest(word, candidates.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? {allowed}"),
        None => allowed,
    }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let keys = ["clients", "open", "closed", "concurrency"];
        assert_eq!(nearest("clents", keys), Some("clients"));
        assert_eq!(nearest("Closed", keys), Some("closed"));
        assert_eq!(nearest("jitter", keys), None);
    }
}
