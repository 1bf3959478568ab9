//! [`TypedCode`]: what the error codes say that mean the same wherever they occur.
//!
//! The status picks the candidate class and the code can veto it: a 429 with `insufficient_quota`
//! will not clear, a 500 with `invalid_request` will fail again. Of two signals that contradict
//! each other the more restrictive one wins, with one exception: a code that names the server's
//! capacity turns a 429 into a transient failure.
//!
//! Sources: the error pages of the providers: Anthropic
//! (<https://platform.claude.com/docs/en/api/errors>), OpenAI
//! (<https://developers.openai.com/api/docs/guides/error-codes>), Google
//! (<https://ai.google.dev/gemini-api/docs/troubleshooting>), OpenRouter
//! (<https://openrouter.ai/docs/api/reference/errors-and-debugging>), Groq
//! (<https://console.groq.com/docs/errors>), Sume
//! (<https://docs.sume.so/workflows/errors-and-credits>), and botocore's service model of
//! `bedrock-runtime`. A code that means one thing here and another there is not in the list.

use super::{Bound, Classification};
use crate::class::Class;

/// The meaning of a typed error code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TypedCode {
    /// The account is spent.
    Exhausted,
    /// The spending of the calls in flight is at its limit, and falls when they end.
    InFlightBudget,
    /// The request is wrong. Says no more than the status where that refuses for good already.
    InvalidRequest,
    /// The credentials, the permission, or the place of the caller.
    Auth,
    /// The request is larger than a limit.
    TooLarge,
    /// The content was refused.
    Content,
    /// Another call holds what this one needs.
    Conflict,
    /// The server does not know whether the call took effect.
    OutcomeUnknown,
    /// The caller is too fast.
    Throttled,
    /// The server lacks capacity, whatever the caller does.
    Capacity,
    /// The server failed.
    Fault,
}

impl TypedCode {
    /// The meaning of `code`; `None` if it is not in the list.
    pub fn of(code: &str) -> Option<TypedCode> {
        let meaning = match code {
            "insufficient_quota"
            | "billing_hard_limit_reached"
            | "billing_not_active"
            | "billing_error"
            | "credit_balance_exhausted"
            | "organization_spend_limit_exceeded"
            | "project_spend_limit_exceeded"
            | "organization_usage_limit_exceeded"
            | "usage_limit_reached"
            | "enforced_spend_limit_reached"
            | "contract_spend_limit_reached"
            | "linked_organization_spend_limit_reached"
            | "payment_required"
            | "weight_exceeds_budget"
            | "insufficient_credits"
            | "insufficient_user_quota"
            | "QUOTA_EXHAUSTED"
            | "INSUFFICIENT_G1_CREDITS_BALANCE"
            | "ServiceQuotaExceededException" => TypedCode::Exhausted,

            "in_flight_budget_exhausted" => TypedCode::InFlightBudget,

            "invalid_request"
            | "invalid_request_error"
            | "unsupported_parameter"
            | "unsupported_value"
            | "model_not_found"
            | "not_found_error"
            | "idempotency_conflict"
            | "thread_already_continued"
            | "INVALID_ARGUMENT"
            | "NOT_FOUND"
            | "ValidationException"
            | "validationException"
            | "ResourceNotFoundException" => TypedCode::InvalidRequest,

            "invalid_api_key"
            | "mismatched_organization"
            | "authentication_error"
            | "authentication"
            | "permission_error"
            | "permission_denied"
            | "forbidden"
            | "request_forbidden"
            | "unsupported_country_region_territory"
            | "organization_on_hold"
            | "region_not_supported"
            | "API_KEY_INVALID"
            | "SERVICE_DISABLED"
            | "VALIDATION_REQUIRED"
            | "UNAUTHENTICATED"
            | "PERMISSION_DENIED"
            | "AccessDeniedException"
            | "ExpiredTokenException"
            | "UnrecognizedClientException" => TypedCode::Auth,

            "context_length_exceeded"
            | "token_limit_exceeded"
            | "request_too_large"
            | "request_body_too_large_after_decoding"
            | "payload_too_large"
            | "image_dimensions_too_large"
            | "image_too_large"
            | "image_file_too_large" => TypedCode::TooLarge,

            "content_filter"
            | "content_policy_violation"
            | "image_content_policy_violation"
            | "bio_policy"
            | "misalignment_policy_violation"
            | "invalid_prompt"
            | "ResponsibleAIPolicyViolation" => TypedCode::Content,

            "conflict_error"
            | "thread_continue_in_flight"
            | "idempotency_key_in_use"
            | "ConflictException" => TypedCode::Conflict,

            "change_outcome_unknown" | "worker_timeout" => TypedCode::OutcomeUnknown,

            "rate_limit_error"
            | "rate_limit_exceeded"
            | "rate_limited"
            | "ramp_limit_exceeded"
            | "slow_down"
            | "queue_full"
            | "too_many_requests"
            | "RATE_LIMIT_EXCEEDED"
            | "RESOURCE_EXHAUSTED"
            | "ThrottlingException"
            | "throttlingException" => TypedCode::Throttled,

            "server_is_overloaded"
            | "overloaded_error"
            | "capacity_exceeded"
            | "provider_overloaded"
            // Under 429 it is how OpenAI says "overloaded with other requests".
            | "server_error"
            | "MODEL_CAPACITY_EXHAUSTED"
            | "ModelNotReadyException"
            | "ModelStreamErrorException"
            | "modelStreamErrorException" => TypedCode::Capacity,

            "api_error"
            | "timeout_error"
            | "internal_server_error"
            | "INTERNAL_SERVER_ERROR"
            | "service_unavailable"
            | "service_unavailable_error"
            | "provider_unavailable"
            | "vector_store_timeout"
            | "INTERNAL"
            | "UNAVAILABLE"
            | "DEADLINE_EXCEEDED"
            | "InternalServerException"
            | "internalServerException"
            | "ServiceUnavailableException"
            | "serviceUnavailableException"
            | "ModelTimeoutException"
            | "modelTimeoutException" => TypedCode::Fault,

            _ => return None,
        };
        Some(meaning)
    }

    /// The class that the code stands for, if it is one that is never retried as it is.
    pub const fn terminal(self) -> Option<Class> {
        match self {
            TypedCode::Exhausted => Some(Class::Exhausted),
            TypedCode::InvalidRequest => Some(Class::InvalidRequest),
            TypedCode::Auth => Some(Class::Auth),
            TypedCode::TooLarge => Some(Class::TooLarge),
            TypedCode::Content => Some(Class::Content),
            TypedCode::InFlightBudget
            | TypedCode::Conflict
            | TypedCode::OutcomeUnknown
            | TypedCode::Throttled
            | TypedCode::Capacity
            | TypedCode::Fault => None,
        }
    }

    /// What becomes of the class that the status picked.
    pub(super) fn judge(self, by_status: Classification) -> Classification {
        use Class::{Auth, Conflict, Exhausted, InvalidRequest, TooLarge};
        let class = match (self, by_status.class) {
            (TypedCode::Exhausted, _) => Exhausted,
            (TypedCode::TooLarge, _) => TooLarge,
            (TypedCode::Content, _) => Class::Content,
            (TypedCode::InFlightBudget, _) => Class::Throttled,
            // The status has named a party already, and the code only repeats that it is final.
            (TypedCode::InvalidRequest, Auth | Exhausted | TooLarge) => return by_status,
            (TypedCode::InvalidRequest, _) => InvalidRequest,
            (TypedCode::Auth, Exhausted | TooLarge) => return by_status,
            (TypedCode::Auth, _) => Auth,
            (_, Auth | Exhausted | TooLarge) => return by_status,
            // A conflict is a kind of bad request that heals.
            (TypedCode::Conflict, _) => Conflict,
            (_, InvalidRequest) => return by_status,
            (TypedCode::OutcomeUnknown, _) => Class::OutcomeUnknown,
            (TypedCode::Throttled, _) => Class::Throttled,
            (TypedCode::Capacity, _) => Class::Transient,
            // Too vague to lift a rate limit, or a stop at a status that nobody documents.
            (TypedCode::Fault, Class::Throttled) => return by_status,
            (TypedCode::Fault, _) if by_status.bound == Bound::Never => return by_status,
            (TypedCode::Fault, _) => Class::Transient,
        };
        Classification::of(class)
    }
}
