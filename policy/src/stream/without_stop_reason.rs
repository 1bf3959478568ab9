//! Successful bodies that have no stop reason: those of endpoints that do not generate text, and
//! jobs that are accepted but not done.
//!
//! They are told by the fields that their documentation requires, so that an error page or an
//! answer that was cut does not pass as one.

use serde_json::Value;

use super::fields::text;

/// Values of `object` in OpenAI's interface and those compatible with it
/// (<https://platform.openai.com/docs/api-reference>).
const OBJECTS: [&str; 19] = [
    "list",
    "embedding",
    "model",
    "file",
    "batch",
    "upload",
    "upload.part",
    "fine_tuning.job",
    "vector_store",
    "vector_store.file",
    "vector_store.file_batch",
    "vector_store.search_results.page",
    "response.input_tokens",
    "conversation",
    "container",
    "image",
    "video",
    "eval",
    "eval.run",
];

/// Values of `type` in Anthropic's interface (<https://platform.claude.com/docs/en/api>).
const TYPES: [&str; 5] =
    ["message_batch", "message_batch_deleted", "file", "file_deleted", "model"];

/// Fields that hold a list in the answers of other endpoints: embeddings of all providers; models
/// and files of Gemini and Ollama; predictions of Vertex AI; rankings, classes and tokens of Cohere;
/// moderations of OpenAI.
const LISTS: [&str; 10] = [
    "images",
    "data",
    "embeddings",
    "models",
    "files",
    "predictions",
    "results",
    "classifications",
    "tokens",
    "cachedContents",
];

/// Fields that hold a count of tokens: Gemini, Anthropic and Bedrock.
const COUNTS: [&str; 3] = ["totalTokens", "input_tokens", "inputTokens"];

/// Statuses of a job that is not done, in any provider's spelling.
const PENDING: [&str; 9] = [
    "queued",
    "in_queue",
    "pending",
    "submitted",
    "validating",
    "in_progress",
    "processing",
    "running",
    "starting",
];

/// Whether a body is of a known form without a stop reason.
pub(super) fn is_known(body: &Value) -> bool {
    let is_one_of = |key, names: &[&str]| text(body, key).is_some_and(|name| names.contains(&name));
    let holds = |key: &&str, is: fn(&Value) -> bool| body.get(*key).is_some_and(is);
    is_one_of("object", &OBJECTS)
        || is_one_of("type", &TYPES)
        || LISTS.iter().any(|key| holds(key, Value::is_array))
        || COUNTS.iter().any(|key| holds(key, Value::is_u64))
        || is_embedding(body)
        || is_pending(body)
        || is_operation(body)
        || is_transcription(body)
        || is_generated(body)
        || body.get("deleted") == Some(&Value::Bool(true))
}

/// One embedding: Gemini's object of values; the list of Bedrock's Titan and older Ollama. Cohere
/// has an object of lists by type.
fn is_embedding(body: &Value) -> bool {
    let is_filled = |key| body.get(key).is_some_and(|it| it.is_array() || it.is_object());
    is_filled("embedding") || is_filled("embeddings")
}

/// A job to be asked for later: by its status; xAI's deferred completion and fal's queue by an id
/// alone; Bedrock's by its name.
fn is_pending(body: &Value) -> bool {
    let status = text(body, "status").map(str::to_ascii_lowercase);
    let has_id =
        ["id", "job_id", "request_id", "task_id"].iter().any(|key| text(body, key).is_some());
    let is_id_alone =
        text(body, "request_id").is_some() && body.as_object().is_some_and(|it| it.len() == 1);
    has_id && status.is_some_and(|status| PENDING.contains(&status.as_str()))
        || is_id_alone
        || text(body, "invocationArn").is_some()
}

/// Google's long-running operation (<https://google.aip.dev/151>) or named resource.
fn is_operation(body: &Value) -> bool {
    const RESOURCES: [&str; 5] =
        ["operations/", "files/", "batches/", "models/", "cachedContents/"];
    let is_resource = |name: &str| RESOURCES.iter().any(|part| name.contains(part));
    text(body, "name").is_some_and(is_resource)
        || body.get("file").is_some_and(|file| text(file, "name").is_some_and(is_resource))
}

/// Hugging Face's text generation without details: an object or a list of them.
fn is_generated(body: &Value) -> bool {
    let one = body.as_array().and_then(|list| list.first()).unwrap_or(body);
    text(one, "generated_text").is_some()
}

/// OpenAI's transcription is `{"text": …}`, with the usage or more of the same beside it.
fn is_transcription(body: &Value) -> bool {
    const BESIDE: [&str; 8] =
        ["text", "usage", "logprobs", "task", "language", "duration", "segments", "words"];
    let mut fields = body.as_object().into_iter().flatten();
    body.get("text").is_some_and(Value::is_string)
        && fields.all(|(key, _)| BESIDE.contains(&key.as_str()))
}
