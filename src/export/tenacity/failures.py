def status_of(error):
    """The HTTP status of a failure, where httpx, requests and SDKs built on them keep it."""
    response = getattr(error, "response", None)
    return getattr(response, "status_code", None) or getattr(error, "status_code", None)


# Names of exceptions, as no HTTP client need be installed; the nearest in the class's ancestry wins.
TRANSPORT_FAILURES = (
    ("connect", {"ConnectError", "ConnectTimeout", "ConnectionRefusedError", "ClientConnectorError"}),
    ("connect", {"PoolTimeout", "NewConnectionError", "gaierror"}),
    ("timeout", {"TimeoutError", "TimeoutException", "Timeout", "APITimeoutError"}),
    ("reset", {"ConnectionError", "NetworkError", "ProtocolError", "ClientConnectionError"}),
    ("reset", {"APIConnectionError"}),
)


def transport_of(error):
    """How a connection failed: "connect" (nothing was sent), "timeout", "reset", or None."""
    for kind in type(error).__mro__:
        for failure, names in TRANSPORT_FAILURES:
            if kind.__name__ in names:
                return failure
    return None
