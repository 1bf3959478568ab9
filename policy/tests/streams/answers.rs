//! Why whole answers ended.

use retrial_policy::stream::{Answer, answer};
use serde_json::{Value, json};

#[track_caller]
fn ended(body: Value, reasons: &[&str]) {
    let expected = reasons.iter().map(|&reason| reason.into()).collect();
    assert_eq!(answer(&body.to_string()), Answer::Ended(expected), "{body}");
}

#[test]
fn every_form_of_answer_says_why_it_ended() {
    ended(json!({"type": "message", "content": [], "stop_reason": "pause_turn"}), &["pause_turn"]);
    let choice = |index, reason| json!({"index": index, "message": {}, "finish_reason": reason});
    ended(
        json!({"object": "chat.completion", "choices": [choice(0, "stop"), choice(1, "length")]}),
        &["stop", "length"],
    );
    ended(json!({"choices": [{"text": "Hi", "finish_reason": "eos"}]}), &["eos"]);
    ended(json!({"object": "response", "status": "completed", "error": null}), &["completed"]);
    ended(
        json!({"object": "response", "status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}),
        &["max_output_tokens"],
    );
    ended(json!({"object": "response", "status": "cancelled", "output": []}), &["cancelled"]);
    ended(json!({"candidates": [{"finishReason": "SAFETY", "index": 0}]}), &["SAFETY"]);
    ended(json!({"promptFeedback": {"blockReason": "OTHER"}}), &["block:OTHER"]);
    ended(
        json!([
            {"candidates": [{"content": {"parts": [{"text": "a"}]}}]},
            {"candidates": [{"content": {}, "finishReason": "STOP"}]},
        ]),
        &["STOP"],
    );
    ended(json!({"object": "interaction", "status": "requires_action"}), &["requires_action"]);
    ended(json!({"output": {"message": {}}, "stopReason": "end_turn"}), &["end_turn"]);
    ended(json!({"message": {"role": "assistant"}, "finish_reason": "TIMEOUT"}), &["TIMEOUT"]);
    ended(json!({"text": "Hi", "generation_id": "x", "finish_reason": "COMPLETE"}), &["COMPLETE"]);
    ended(json!({"generations": [{"text": "", "finish_reason": "MAX_TOKENS"}]}), &["MAX_TOKENS"]);
    ended(json!({"model": "m", "message": {}, "done": true, "done_reason": "load"}), &["load"]);
    ended(json!({"model": "m", "response": "Hi", "done": true}), &["stop"]);
}

#[test]
fn the_deciding_event_of_a_stream_says_it_too() {
    ended(json!({"type": "message_delta", "delta": {"stop_reason": "refusal"}}), &["refusal"]);
    ended(
        json!({"object": "chat.completion.chunk", "choices": [{"finish_reason": "stop"}, {"finish_reason": null}]}),
        &["stop"],
    );
    ended(
        json!({"type": "response.incomplete", "response": {"status": "incomplete", "incomplete_details": {"reason": "steered"}}}),
        &["steered"],
    );
    ended(
        json!({"type": "response.completed", "response": {"object": "response"}}),
        &["completed"],
    );
    ended(json!({"messageStop": {"stopReason": "tool_use"}}), &["tool_use"]);
    ended(json!({"stopReason": "max_tokens"}), &["max_tokens"]);
    ended(json!({"type": "message-end", "delta": {"finish_reason": "ERROR"}}), &["ERROR"]);
    ended(json!({"event_type": "stream-end", "finish_reason": "ERROR_LIMIT"}), &["ERROR_LIMIT"]);
    ended(
        json!({"event_type": "interaction.completed", "interaction": {"status": "completed"}}),
        &["completed"],
    );
}

#[test]
fn other_endpoints_and_jobs_have_no_stop_reason() {
    for body in [
        json!({"object": "list", "data": [{"object": "embedding", "embedding": [0.1]}]}),
        json!({"data": [{"id": "claude", "type": "model"}], "has_more": false}),
        json!({"object": "batch", "status": "validating", "id": "batch_1"}),
        json!({"type": "message_batch", "processing_status": "in_progress"}),
        json!({"id": "file_1", "type": "file"}),
        json!({"id": "file-1", "object": "file", "deleted": true}),
        json!({"input_tokens": 14}),
        json!({"totalTokens": 31}),
        json!({"created": 1, "data": [{"b64_json": "AAAA"}]}),
        json!({"text": "A transcript", "usage": {"type": "duration"}}),
        json!({"embedding": {"values": [0.1]}}),
        json!({"embeddings": {"float": [[0.1]]}, "id": "x"}),
        json!({"results": [{"index": 0, "relevance_score": 0.9}]}),
        json!({"models": [{"name": "llama3"}]}),
        json!({"name": "models/veo/operations/x"}),
        json!({"request_id": "deferred"}),
        json!({"id": "vid_1", "status": "queued"}),
        json!({"invocationArn": "arn:aws:bedrock:us-east-1:1:async-invoke/x"}),
        json!({"object": "response", "status": "in_progress", "id": "resp_1"}),
        json!({"object": "response", "status": "queued", "id": "resp_1", "output": []}),
    ] {
        assert_eq!(answer(&body.to_string()), Answer::NoStopReason, "{body}");
    }
}

#[test]
fn what_lacks_its_stop_reason_or_fails_or_is_unknown_is_no_answer() {
    for body in [
        json!({"type": "message", "content": [], "stop_reason": null}),
        json!({"object": "chat.completion", "choices": []}),
        json!({"choices": [{"index": 0, "finish_reason": "stop"}, {"index": 1, "finish_reason": null}]}),
        json!({"object": "response", "id": "x", "status": "failed", "error": {"code": "server_error"}}),
        json!({"object": "response", "id": "x", "status": "failed", "error": null}),
        json!({"type": "response.failed", "response": {"status": "failed"}}),
        json!({"candidates": [{"content": {}}]}),
        json!({"usageMetadata": {}}),
        json!([{"candidates": [{"finishReason": "STOP"}]}, {"error": {"code": 503}}]),
        json!({"model": "m", "message": {}, "done": false}),
        json!({"finish_reason": "COMPLETE"}),
        json!({"error": {"code": 429}}),
        json!({"message": "The model returned the following errors: …"}),
        json!({"type": "error"}),
        json!({}),
        json!([]),
        json!("hello"),
        json!(null),
    ] {
        assert_eq!(answer(&body.to_string()), Answer::NotAnAnswer, "{body}");
    }
}
