def status_of(error):
    """The HTTP status of a failure, where httpx, requests and SDKs built on them keep it."""
    response = getattr(error, "response", None)
    return getattr(response, "status_code", None) or getattr(error, "status_code", None)


def transport_of(error):
    """How a connection failed: "connect" (nothing was sent), "timeout", "reset", or None."""
    for kind in type(error).__mro__:
        for failure, names in _TRANSPORT_FAILURES:
            if kind.__name__ in names:
                return failure
    return None


_TRANSPORT_FAILURES = (
    ("connect", {"ConnectError", "ConnectTimeout", "ConnectionRefusedError", "PoolTimeout", "gaierror"}),
    ("timeout", {"APITimeoutError", "Timeout", "TimeoutError", "TimeoutException"}),
    ("reset", {"APIConnectionError", "ConnectionError", "NetworkError", "ProtocolError"}),
)
