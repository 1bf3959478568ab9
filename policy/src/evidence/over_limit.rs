//! Rate limits that no wait can satisfy: the one request asks for more than the whole limit.

/// Whether a message names a limit and, as requested, a larger amount: `Limit 30000, Requested
/// 36278`. OpenAI and Groq send this under the code of an ordinary rate limit.
pub(crate) fn asks_for_more_than_the_limit(text: &str) -> bool {
    match (number_after(text, "Limit"), number_after(text, "Requested")) {
        (Some(limit), Some(requested)) => requested > limit,
        _ => false,
    }
}

/// The first number that follows `word`, with commas between its digits or without.
fn number_after(text: &str, word: &str) -> Option<u64> {
    text.match_indices(word).find_map(|(at, _)| number_at(&text[at + word.len()..]))
}

fn number_at(rest: &str) -> Option<u64> {
    let rest = rest.trim_start_matches([' ', ':']);
    let digits = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b',');
    let mut number: Option<u64> = None;
    for digit in digits.filter(|byte| *byte != b',') {
        number = number.unwrap_or(0).checked_mul(10)?.checked_add(u64::from(digit - b'0'));
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sources: messages posted in the issue trackers of Aider and MetaGPT.
    #[test]
    fn only_a_request_above_the_limit_is() {
        let says = asks_for_more_than_the_limit;
        assert!(says("on tokens per min (TPM): Limit 30000, Requested 36278. The input"));
        assert!(says("Rate Limit reached on tokens: Limit 30000, Requested 36278"));
        assert!(says("Limit: 6,000, Requested: 6,284, please reduce"));
        assert!(!says("(TPM): Limit 10000, Used 8554, Requested 3082. Please try again in 9.816s"));
        assert!(!says("Limit 30000"));
        assert!(!says("Requested Limit"));
        assert!(!says("Limit 99999999999999999999999, Requested 1"));
    }
}
