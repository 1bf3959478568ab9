def is_retryable(retry_state):
    """Whether the last attempt may be repeated, before any limit is looked at."""
    if not retry_state.outcome.failed:
        return False
    error = retry_state.outcome.exception()
    status = status_of(error)
    if status is None:
        return transport_of(error) in TRANSPORT
    if status in STATUSES_ONCE and not getattr(retry_state, "repeated_once", False):
        retry_state.repeated_once = True
    elif status not in STATUSES:
        return False
