//! The value at a path such as `/error/errors/0/message`.
//!
//! The reader looks at some hundred places of every reply, nearly all of them empty, and
//! serde_json's own `pointer` allocates at each step.

use serde_json::Value;

/// The value at `path`: keys and indices, each behind a slash.
pub(crate) fn at<'v>(root: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('/').skip(1).try_fold(root, |here, step| match here {
        Value::Object(map) => map.get(step),
        Value::Array(list) => list.get(step.parse::<usize>().ok()?),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn paths_lead_through_objects_and_lists() {
        let root = json!({"errors": [{"message": "a"}], "7": "b"});
        assert_eq!(at(&root, "/errors/0/message"), Some(&json!("a")));
        assert_eq!(at(&root, "/7"), Some(&json!("b")));
        assert_eq!(at(&root, ""), Some(&root));
        for nowhere in ["/errors/1", "/errors/message", "/errors/0/message/x", "/error", "/"] {
            assert_eq!(at(&root, nowhere), None, "{nowhere}");
        }
    }
}
