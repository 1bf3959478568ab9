//! Each protocol: complete, an error before and after content, truncated. The events are those of
//! the providers' documentation, which the modules of the guards name, cut to what matters.

use retrial_policy::stream::{Event, Protocol, StreamEnd, StreamGuard, StreamOutcome};

use super::{named, outcome, unnamed};

use StreamEnd::{Complete, ErrorEvent, Truncated};

/// What the stream of a protocol is made of.
struct Parts<'a> {
    protocol: Protocol,
    /// As the protocol puts events into text.
    text: fn(&[&str]) -> String,
    /// Before any content.
    begin: &'a [&'a str],
    content: &'a [&'a str],
    /// From the stop reason to the terminal event; the first has the reason.
    end: &'a [&'a str],
    reason: &'a str,
    error: &'a str,
}

impl Parts<'_> {
    fn outcome(&self, parts: &[&[&str]]) -> StreamOutcome {
        outcome(self.protocol, &(self.text)(&parts.concat()))
    }

    fn check(&self) {
        let Parts { begin, content, end, error, .. } = *self;
        let whole = self.outcome(&[begin, content, end]);
        assert_eq!((whole.end, whole.content_started), (Complete, true), "{:?}", self.protocol);
        assert_eq!((whole.stop_reasons, whole.data), (vec![self.reason.into()], end[0].into()));

        let error = &[error][..];
        for (parts, started) in
            [(&[error][..], false), (&[begin, error], false), (&[begin, content, error], true)]
        {
            let failed = self.outcome(parts);
            assert_eq!((failed.end, failed.content_started), (ErrorEvent, started), "{parts:?}");
            assert_eq!(failed.data, error[0]);
        }

        for (parts, started) in [(&[begin][..], false), (&[begin, content], true)] {
            let cut = self.outcome(parts);
            assert_eq!((cut.end, cut.content_started), (Truncated, started), "{parts:?}");
        }
        for missing in 1..end.len() {
            let cut = self.outcome(&[begin, content, &end[..missing]]);
            let expected = if self.protocol == Protocol::OpenAiChat { Complete } else { Truncated };
            assert_eq!(cut.end, expected, "without {:?}", &end[missing..]);
        }
        assert_eq!(self.outcome(&[begin, content, end, error]).end, Complete, "whole before that");
    }
}

fn lines(data: &[&str]) -> String {
    data.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn anthropic() {
    let parts = Parts {
        protocol: Protocol::Anthropic,
        text: named,
        begin: &[
            r#"{"type":"message_start","message":{"type":"message","content":[],"stop_reason":null,"usage":{"output_tokens":1}}}"#,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
            r#"{"type":"ping"}"#,
        ],
        content: &[
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}"#,
            r#"{"type":"content_block_stop","index":0}"#,
        ],
        end: &[
            r#"{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":15}}"#,
            r#"{"type":"message_stop"}"#,
        ],
        reason: "end_turn",
        error: r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
    };
    parts.check();
    let tool = r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"get_weather","input":{}}}"#;
    let thought = r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm"}}"#;
    for started in [tool, thought] {
        assert!(parts.outcome(&[parts.begin, &[started]]).content_started, "{started}");
    }
}

#[test]
fn anthropic_ends_are_complete_whatever_their_reason() {
    for reason in ["pause_turn", "refusal", "model_context_window_exceeded", "not_yet_invented"] {
        let delta = format!(r#"{{"type":"message_delta","delta":{{"stop_reason":"{reason}"}}}}"#);
        let ended = outcome(Protocol::Anthropic, &named(&[&delta, r#"{"type":"message_stop"}"#]));
        assert_eq!((ended.end, ended.stop_reasons), (Complete, vec![reason.to_string()]));
    }
    let bare = outcome(Protocol::Anthropic, &named(&[r#"{"type":"message_stop"}"#]));
    assert_eq!(bare.end, Truncated, "no stop reason");
}

#[test]
fn openai_chat() {
    Parts {
        protocol: Protocol::OpenAiChat,
        text: unnamed,
        begin: &[
            // Azure's first.
            r#"{"choices":[],"id":"","object":"","prompt_filter_results":[{"prompt_index":0,"content_filter_results":{"hate":{"filtered":false,"severity":"safe"}}}]}"#,
            r#"{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null}]}"#,
        ],
        content: &[
            r#"{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}"#,
        ],
        end: &[
            r#"{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"length"}]}"#,
            r#"{"object":"chat.completion.chunk","choices":[],"usage":{"total_tokens":9}}"#,
            "[DONE]",
        ],
        reason: "length",
        error: r#"{"error":{"message":"The server had an error","type":"server_error","code":null}}"#,
    }
    .check();
}

#[test]
fn openai_chat_in_other_houses() {
    let chunk =
        |delta: &str| unnamed(&[&format!(r#"{{"choices":[{{"index":0,"delta":{delta}}}]}}"#)]);
    for delta in [
        r#"{"reasoning_content":"Hm"}"#,
        r#"{"tool_calls":[{"index":0,"function":{"name":"f","arguments":""}}]}"#,
        r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm"}]}]}"#,
    ] {
        assert!(outcome(Protocol::OpenAiChat, &chunk(delta)).content_started, "{delta}");
    }
    // OpenRouter: the error comes with a finish reason; or stands in the choice.
    for error in [
        r#"{"error":{"code":502,"message":"Provider returned error"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}"#,
        r#"{"choices":[{"index":0,"delta":{"content":""},"error":{"code":502},"finish_reason":"error"}]}"#,
    ] {
        let ended = outcome(Protocol::OpenAiChat, &unnamed(&[error, "[DONE]"]));
        assert_eq!((ended.end, ended.data.as_str()), (ErrorEvent, error));
    }
    // Mistral: `error` as a finish reason is one like any other.
    let ended =
        unnamed(&[r#"{"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}"#]);
    let ended = outcome(Protocol::OpenAiChat, &ended);
    assert_eq!((ended.end, ended.stop_reasons), (Complete, vec!["error".to_string()]));
    // Completions, before chat.
    let text = unnamed(&[
        r#"{"object":"text_completion","choices":[{"index":0,"text":"Hi","finish_reason":"stop"}]}"#,
    ]);
    let ended = outcome(Protocol::OpenAiChat, &text);
    assert_eq!((ended.end, ended.content_started), (Complete, true));
}

#[test]
fn openai_chat_with_several_choices_needs_the_end_of_each() {
    let zero = r#"{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}]}"#;
    let zero_ends = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
    let one = r#"{"choices":[{"index":1,"delta":{"content":"b"},"finish_reason":null}]}"#;
    let one_ends = r#"{"choices":[{"index":1,"delta":{},"finish_reason":"content_filter"}]}"#;
    let half = outcome(Protocol::OpenAiChat, &unnamed(&[zero, one, zero_ends, "[DONE]"]));
    assert_eq!((half.end, half.stop_reasons), (Truncated, vec!["stop".to_string()]));
    let whole =
        outcome(Protocol::OpenAiChat, &unnamed(&[zero, one, one_ends, zero_ends, "[DONE]"]));
    assert_eq!((whole.end, whole.data.as_str()), (Complete, one_ends));
    assert_eq!(whole.stop_reasons, ["content_filter", "stop"]);
}

#[test]
fn openai_responses() {
    let parts = Parts {
        protocol: Protocol::OpenAiResponses,
        text: named,
        begin: &[
            r#"{"type":"response.created","response":{"object":"response","status":"in_progress","error":null,"output":[]}}"#,
            r#"{"type":"response.output_item.added","output_index":0,"item":{"id":"msg_1","type":"message","status":"in_progress","role":"assistant","content":[]}}"#,
            r#"{"type":"response.content_part.added","item_id":"msg_1","part":{"type":"output_text","text":"","annotations":[]}}"#,
        ],
        content: &[r#"{"type":"response.output_text.delta","item_id":"msg_1","delta":"Hi"}"#],
        end: &[
            r#"{"type":"response.completed","response":{"object":"response","status":"completed","error":null,"incomplete_details":null,"output":[]}}"#,
        ],
        reason: "completed",
        error: r#"{"type":"error","code":"server_is_overloaded","message":"Our servers are currently overloaded.","param":null}"#,
    };
    parts.check();
    let failed = r#"{"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded","message":"Rate limit reached"}}}"#;
    let ended = parts.outcome(&[parts.begin, &[failed]]);
    assert_eq!((ended.end, ended.data.as_str()), (ErrorEvent, failed));
    for (event, started) in [
        (r#"{"type":"response.reasoning_summary_text.delta","delta":"Hm"}"#, true),
        (
            r#"{"type":"response.output_item.added","item":{"type":"function_call","name":"f","arguments":""}}"#,
            true,
        ),
        (
            r#"{"type":"response.output_item.added","item":{"type":"reasoning","summary":[],"encrypted_content":"gAAA"}}"#,
            false,
        ),
        (
            r#"{"type":"response.output_item.done","item":{"type":"reasoning","summary":[],"encrypted_content":"gAAA"}}"#,
            true,
        ),
        (
            r#"{"type":"response.in_progress","response":{"status":"in_progress","instructions":"Be brief"}}"#,
            false,
        ),
    ] {
        assert_eq!(parts.outcome(&[&[event]]).content_started, started, "{event}");
    }
}

#[test]
fn openai_responses_that_are_incomplete_or_cancelled_say_why() {
    for (event, reason) in [
        (
            r#"{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"content_filter"}}}"#,
            "content_filter",
        ),
        (r#"{"type":"response.incomplete","response":{"status":"incomplete"}}"#, "incomplete"),
        (r#"{"type":"response.cancelled","response":{"status":"cancelled"}}"#, "cancelled"),
        (r#"{"type":"response.done","response":{"status":"completed"}}"#, "completed"),
        (r#"{"type":"response.completed"}"#, "completed"),
    ] {
        let ended = outcome(Protocol::OpenAiResponses, &named(&[event]));
        assert_eq!(
            (ended.end, ended.stop_reasons),
            (Complete, vec![reason.to_string()]),
            "{event}"
        );
    }
}

#[test]
fn gemini() {
    let parts = Parts {
        protocol: Protocol::Gemini,
        text: unnamed,
        begin: &[
            r#"{"usageMetadata":{"promptTokenCount":4},"modelVersion":"gemini","responseId":"x"}"#,
        ],
        content: &[
            r#"{"candidates":[{"content":{"parts":[{"text":"Hello"}],"role":"model"},"index":0}]}"#,
        ],
        end: &[
            r#"{"candidates":[{"content":{"parts":[{"text":""}]},"finishReason":"MAX_TOKENS","index":0}],"usageMetadata":{}}"#,
        ],
        reason: "MAX_TOKENS",
        error: r#"[{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}]"#,
    };
    parts.check();
    let blocked = r#"{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{}}"#;
    let ended = parts.outcome(&[&[blocked]]);
    assert_eq!((ended.end, ended.content_started), (Complete, false));
    assert_eq!(ended.stop_reasons, ["block:PROHIBITED_CONTENT"]);
    let wrapped = r#"{"response":{"candidates":[{"content":{"parts":[{"text":"Hi"}]},"finishReason":"STOP"}]}}"#;
    let ended = parts.outcome(&[&[wrapped]]);
    assert_eq!((ended.end, ended.stop_reasons), (Complete, vec!["STOP".to_string()]));
}

#[test]
fn gemini_interactions() {
    Parts {
        protocol: Protocol::Gemini,
        text: unnamed,
        begin: &[r#"{"event_type":"interaction.created","interaction":{"id":"x","status":"in_progress"}}"#],
        content: &[r#"{"event_type":"content.delta","index":0,"delta":{"type":"text","text":"Hello"}}"#],
        end: &[r#"{"event_type":"interaction.completed","interaction":{"id":"x","status":"completed"}}"#],
        reason: "completed",
        error: r#"{"event_type":"error","error":{"code":"internal","message":"Internal error"}}"#,
    }
    .check();
}

#[test]
fn cohere_version_2() {
    Parts {
        protocol: Protocol::Cohere,
        text: named,
        begin: &[
            r#"{"id":"x","type":"message-start","delta":{"message":{"role":"assistant","content":[]}}}"#,
            r#"{"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text","text":""}}}}"#,
        ],
        content: &[r#"{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"A"}}}}"#],
        end: &[r#"{"type":"message-end","delta":{"finish_reason":"COMPLETE","usage":{"tokens":{}}}}"#],
        reason: "COMPLETE",
        error: r#"{"type":"error","message":"internal server error"}"#,
    }
    .check();
}

#[test]
fn cohere_version_1() {
    Parts {
        protocol: Protocol::Cohere,
        text: lines,
        begin: &[r#"{"is_finished":false,"event_type":"stream-start","generation_id":"x"}"#],
        content: &[r#"{"is_finished":false,"event_type":"text-generation","text":"A"}"#],
        end: &[r#"{"is_finished":true,"event_type":"stream-end","finish_reason":"ERROR_TOXIC","response":{"text":"A"}}"#],
        reason: "ERROR_TOXIC",
        error: r#"{"message":"internal server error"}"#,
    }
    .check();
}

#[test]
fn ollama() {
    Parts {
        protocol: Protocol::Ollama,
        text: lines,
        begin: &[r#"{"model":"m","message":{"role":"assistant","content":""},"done":false}"#],
        content: &[r#"{"model":"m","message":{"role":"assistant","content":"A"},"done":false}"#],
        end: &[r#"{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"length"}"#],
        reason: "length",
        error: r#"{"error":"an error was encountered while running the model"}"#,
    }
    .check();
    let generated = lines(&[
        r#"{"model":"m","response":"A","done":false}"#,
        r#"{"model":"m","response":"","done":true}"#,
    ]);
    let ended = outcome(Protocol::Ollama, &generated);
    assert_eq!((ended.end, ended.stop_reasons), (Complete, vec!["stop".to_string()]));
}

fn frames(frames: &[(&str, &str, &str)]) -> StreamOutcome {
    let end = |mut guard: StreamGuard| {
        for (header, value, data) in frames {
            guard.event(&Event::framed(&[(header.to_string(), value.to_string())], data));
        }
        guard.finish()
    };
    let known = end(StreamGuard::new(Protocol::Bedrock));
    if known.end != Truncated {
        assert_eq!(end(StreamGuard::detect()), known);
    }
    known
}

#[test]
fn bedrock_converse() {
    let start = (":event-type", "messageStart", r#"{"role":"assistant","p":"abc"}"#);
    let delta =
        (":event-type", "contentBlockDelta", r#"{"contentBlockIndex":0,"delta":{"text":"A"}}"#);
    let stop = (":event-type", "messageStop", r#"{"stopReason":"guardrail_intervened"}"#);
    let metadata = (":event-type", "metadata", r#"{"usage":{"totalTokens":9}}"#);
    let whole = frames(&[start, delta, stop, metadata]);
    assert_eq!((whole.end, whole.content_started), (Complete, true));
    assert_eq!(
        (whole.stop_reasons, whole.data),
        (vec!["guardrail_intervened".into()], stop.2.into())
    );

    let error = (":exception-type", "modelStreamErrorException", r#"{"message":"…"}"#);
    let failed = (":message-type", "exception", r#"{"message":"…"}"#);
    for (parts, started) in [(&[start, error][..], false), (&[start, delta, failed], true)] {
        let ended = frames(parts);
        assert_eq!((ended.end, ended.content_started), (ErrorEvent, started));
        assert_eq!(ended.headers.len(), 1, "those of the exception");
    }
    assert_eq!(frames(&[start, delta]).end, Truncated);
}

#[test]
fn bedrock_frames_that_the_driver_has_merged() {
    let merged = [
        r#"{"messageStart":{"role":"assistant"}}"#,
        r#"{"contentBlockStart":{"start":{"toolUse":{"toolUseId":"t","name":"f"}},"contentBlockIndex":0}}"#,
        r#"{"messageStop":{"stopReason":"tool_use"}}"#,
    ];
    let ended = outcome(Protocol::Bedrock, &unnamed(&merged));
    assert_eq!((ended.end, ended.content_started), (Complete, true));
    assert_eq!(ended.stop_reasons, ["tool_use"]);
    let exception = r#"{"throttlingException":{"message":"Too many requests"}}"#;
    assert_eq!(outcome(Protocol::Bedrock, &unnamed(&[merged[0], exception])).end, ErrorEvent);
}

#[test]
fn bedrock_chunks_hold_the_events_of_the_model() {
    let chunk = |data| (":event-type", "chunk", data);
    let delta = chunk(r#"{"type":"content_block_delta","delta":{"type":"text_delta","text":"A"}}"#);
    let reason = chunk(r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#);
    let stop = chunk(r#"{"type":"message_stop","amazon-bedrock-invocationMetrics":{}}"#);
    let whole = frames(&[delta, reason, stop]);
    assert_eq!((whole.end, whole.stop_reasons), (Complete, vec!["end_turn".to_string()]));
    assert_eq!(frames(&[delta, reason]).end, Truncated);
    let sealed = frames(&[chunk(r#"{"bytes":"eyJ0eXBlIjoi"}"#)]);
    assert_eq!((sealed.end, sealed.content_started), (Truncated, true), "not decoded");
}
