def hint_of(error):
    """The seconds that the server asks to wait, or None."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    values = {str(name).lower(): value for name, value in headers.items()}
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            asked = float(values[name]) * unit
        except (KeyError, TypeError, ValueError):
            continue
        if asked >= 0:
            return asked
    try:
        until = email.utils.parsedate_to_datetime(values["retry-after"])
        return max(0.0, until.timestamp() - time.time())
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
