"""The exported module under tenacity itself: laws of the waits, and what is repeated."""

import email.utils
import math
import random
import time
import unittest

import tenacity

from retrial import export, module

DRAWS = 20_000
RETRIES = range(1, 9)
BASE, CAP, FACTOR = 0.2, 3.0, 2.0
LIMITS = '[limits]\nmax_attempts = 9\ndeadline = "1h"\n'
EXPONENTIAL = '[backoff]\nkind = "exponential"\nbase = "200ms"\ncap = "3s"\n'


def grown(n):
    return min(CAP, BASE * FACTOR ** (n - 1))


# jitter: (keys, least, most), mean in the middle. Source: the formulas of policy files.
JITTERS = {
    "none": ("", lambda d: d, lambda d: d),
    "full": ("", lambda d: 0, lambda d: d),
    "equal": ("", lambda d: d / 2, lambda d: d),
    "proportional": ("jitter_ratio = 0.3", lambda d: 0.7 * d, lambda d: 1.3 * d),
    "shrink": ("jitter_ratio = 0.25", lambda d: 0.75 * d, lambda d: d),
    "stretch": ("jitter_ratio = 0.5", lambda d: d, lambda d: 1.5 * d),
    "add": ('add = "100ms"', lambda d: d, lambda d: d + 0.1),
}

# kind: (section, un-jittered delay before retry n).
GROWTHS = {
    "none": ('kind = "none"', lambda n: 0.0),
    "constant": ('kind = "constant"\nbase = "700ms"', lambda n: 0.7),
    "linear": (
        'kind = "linear"\nbase = "100ms"\nstep = "250ms"\ncap = "1s"',
        lambda n: min(1.0, 0.1 + 0.25 * (n - 1)),
    ),
    "exponential": (
        'kind = "exponential"\nbase = "100ms"\nfactor = 1.5\ncap = "1s"',
        lambda n: min(1.0, 0.1 * 1.5 ** (n - 1)),
    ),
    "fibonacci": (
        'kind = "fibonacci"\nbase = "100ms"\ncap = "1s"',
        lambda n: min(1.0, 0.1 * [1, 1, 2, 3, 5, 8, 13, 21][n - 1]),
    ),
    "schedule": (
        'kind = "schedule"\nschedule = ["200ms", "50ms", "2s"]\ncap = "1s"',
        lambda n: [0.2, 0.05, 1.0][min(n, 3) - 1],
    ),
}


class Answer:
    def __init__(self, status, headers):
        self.status_code = status
        self.headers = headers


class Failure(Exception):
    def __init__(self, status, headers=None):
        super().__init__(status)
        self.response = Answer(status, headers or {})


class ConnectError(Exception):
    """Called as httpx calls a connection that was not made."""


def after(n, error):
    """tenacity's state after the n-th attempt failed with `error`."""
    state = tenacity.RetryCallState(tenacity.Retrying(), None, (), {})
    state.attempt_number = n
    state.set_exception((type(error), error, None))
    return state


def waits(names, n, error=None):
    return [names["wait_for"](after(n, error or Failure(503))) for _ in range(DRAWS)]


def repeated(names, *errors):
    """Which of the errors of one call are repeated, with no sleep."""
    made = []

    def call():
        made.append(errors[len(made)])
        raise made[-1]

    retrying = names["retrying"].copy(sleep=lambda _: None)
    try:
        retrying(call)
    except (type(errors[-1]), IndexError):
        pass
    return len(made) - 1


class Waits(unittest.TestCase):
    def setUp(self):
        random.seed(1)

    def assert_law(self, drawn, least, most, mean, sd):
        self.assertGreaterEqual(min(drawn), least - 1e-9)
        self.assertLessEqual(max(drawn), most + 1e-9)
        error = 5 * sd / math.sqrt(len(drawn)) + 1e-9
        self.assertAlmostEqual(sum(drawn) / len(drawn), mean, delta=error)

    def assert_uniform(self, drawn, least, most):
        self.assert_law(drawn, least, most, (least + most) / 2, (most - least) / math.sqrt(12))

    def test_every_jitter(self):
        for jitter, (keys, least, most) in JITTERS.items():
            names = module(f'{EXPONENTIAL}jitter = "{jitter}"\n{keys}\n{LIMITS}', "tenacity")
            for n in RETRIES:
                with self.subTest(jitter=jitter, n=n):
                    d = grown(n)
                    self.assert_uniform(waits(names, n), least(d), most(d))

    def test_exponential_jitter(self):
        names = module(f'{EXPONENTIAL}jitter = "exponential"\n{LIMITS}', "tenacity")
        for n in RETRIES:
            with self.subTest(n=n):
                self.assert_law(waits(names, n), 0, math.inf, grown(n), grown(n))

    def test_every_growth_with_and_without_jitter(self):
        for kind, (section, delay) in GROWTHS.items():
            names = module(f"[backoff]\n{section}\n{LIMITS}", "tenacity")
            for n in RETRIES:
                with self.subTest(kind=kind, n=n):
                    self.assertAlmostEqual(names["wait_for"](after(n, Failure(503))), delay(n))
            if kind == "none":
                continue
            names = module(f'[backoff]\n{section}\njitter = "equal"\n{LIMITS}', "tenacity")
            for n in RETRIES:
                with self.subTest(kind=kind, n=n, jitter="equal"):
                    self.assert_uniform(waits(names, n), delay(n) / 2, delay(n))

    def test_decorrelated(self):
        section = '[backoff]\nkind = "decorrelated"\nbase = "200ms"\ncap = "3s"\n'
        names = module(section + LIMITS, "tenacity")
        self.assert_uniform(waits(names, 1), BASE, 3 * BASE)
        second = []
        for _ in range(DRAWS):
            state = after(1, Failure(503))
            first = names["wait_for"](state)
            state.attempt_number = 2
            second.append(names["wait_for"](state))
            self.assertLessEqual(second[-1], min(CAP, 3 * first))
        # The mean of U[b, 3 s] with s from U[b, 3b] is (b + 3 · 2b) / 2; its variance is
        # E[(3s - b)²]/12 + Var(3s)/4, with 3s - b from U[2b, 8b].
        square = (8**3 - 2**3) / (3 * 6) * BASE**2
        sd = math.sqrt(square / 12 + 9 * (2 * BASE) ** 2 / 12 / 4)
        self.assert_law(second, BASE, 9 * BASE, 3.5 * BASE, sd)

    def test_smooth_decorrelated(self):
        section = '[backoff]\nkind = "smooth_decorrelated"\nbase = "200ms"\n'
        names = module(section + LIMITS, "tenacity")

        def curve(x):
            return 2**x * math.tanh(math.sqrt(4 * x))

        # The first delay is curve(u) · base / 1.4; its moments by the midpoint rule.
        points = [curve((i + 0.5) / 1000) * BASE / 1.4 for i in range(1000)]
        mean = sum(points) / 1000
        sd = math.sqrt(sum((p - mean) ** 2 for p in points) / 1000)
        self.assert_law(waits(names, 1), 0, curve(1) * BASE / 1.4, mean, sd)

    def test_cap_after_jitter_floor_and_rounding(self):
        clipped = 'jitter = "stretch"\njitter_ratio = 1.0\ncap_order = "jitter_then_cap"\n'
        names = module(EXPONENTIAL + clipped + LIMITS, "tenacity")
        self.assert_uniform(waits(names, 1), BASE, 2 * BASE)
        self.assertEqual(set(waits(names, 8)), {CAP})
        added = 'jitter = "add"\nadd = "1s"\ncap_order = "jitter_then_cap"\n'
        names = module(EXPONENTIAL + added + LIMITS, "tenacity")
        self.assert_uniform(waits(names, 1), BASE, BASE + 1)
        self.assertEqual(set(waits(names, 8)), {CAP})
        floor = 'jitter = "full"\nfloor = "150ms"\nround = "100ms"\n'
        names = module(EXPONENTIAL + floor + LIMITS, "tenacity")
        drawn = {round(wait, 9) for wait in waits(names, 1)}
        self.assertEqual(drawn, {0.15})
        self.assertEqual({round(wait, 9) for wait in waits(names, 2)}, {0.15, 0.2, 0.3})

    def test_throttling_has_its_own_base(self):
        names = module(f'{EXPONENTIAL}throttled_base = "1s"\n{LIMITS}', "tenacity")
        self.assertEqual(names["wait_for"](after(1, Failure(429))), 1.0)
        self.assertEqual(names["wait_for"](after(1, Failure(503))), BASE)

    def test_a_conflict_takes_a_second(self):
        names = module(EXPONENTIAL + LIMITS, "tenacity")
        self.assert_uniform(waits(names, 5, Failure(409)), 1.0, 1.1)


class Hints(unittest.TestCase):
    def setUp(self):
        random.seed(1)

    def wait(self, section, headers, n=1):
        names = module(f"{EXPONENTIAL}{LIMITS}[retry_after]\n{section}\n", "tenacity")
        return [names["wait_for"](after(n, Failure(503, headers))) for _ in range(1000)]

    def assert_between(self, drawn, least, most):
        self.assertGreaterEqual(min(drawn), least)
        self.assertLessEqual(max(drawn), most)
        self.assertGreater(max(drawn) - min(drawn), 0.9 * (most - least))

    def test_every_spelling_replaces_the_backoff_and_is_spread_upwards(self):
        for headers in ({"Retry-After": "10"}, {"retry-after-ms": "10000", "retry-after": "1"}):
            self.assert_between(self.wait("", headers), 10, 11)
        date = email.utils.formatdate(time.time() + 30, usegmt=True)
        drawn = self.wait("jitter_ratio = 0.5", {"retry-after": date})
        # A date has whole seconds, and making the module takes a moment.
        self.assertGreater(min(drawn), 25)
        self.assertLess(max(drawn), 45)
        self.assertGreater(max(drawn) - min(drawn), 12)

    def test_modes(self):
        short, long = {"retry-after": "0.1"}, {"retry-after": "2"}
        self.assertEqual(set(self.wait('mode = "floor"', short)), {BASE})
        self.assert_between(self.wait('mode = "floor"', long), 2, 2.2)
        clamp = 'mode = "clamp"\nabove = "1s"'
        self.assertEqual(set(self.wait(clamp, short)), {BASE})
        self.assert_between(self.wait(clamp, long), 1.2, 1.32)
        self.assertEqual(set(self.wait('mode = "ignore"', long)), {BASE})
        self.assertEqual(set(self.wait('over_cap = "own_backoff"', {"retry-after": "61"})), {BASE})
        self.assert_between(self.wait('over_cap = "clip"', {"retry-after": "61"}), 60, 66)

    def test_past_the_cap_it_stops(self):
        names = module(EXPONENTIAL + LIMITS, "tenacity")
        self.assertEqual(repeated(names, *[Failure(503, {"retry-after": "60"})] * 9), 8)
        for asked in ("61", "1e400"):
            self.assertEqual(repeated(names, *[Failure(503, {"retry-after": asked})] * 9), 0)

    def test_what_is_no_hint_is_none(self):
        for value in ("soon", "-1", "nan", ""):
            self.assertEqual(set(self.wait("", {"retry-after": value})), {BASE})


class Repeats(unittest.TestCase):
    def test_statuses(self):
        names = module(EXPONENTIAL + LIMITS, "tenacity")
        for status, times in [(503, 8), (429, 8), (409, 8), (500, 1), (400, 0), (401, 0), (402, 0)]:
            with self.subTest(status=status):
                self.assertEqual(repeated(names, *[Failure(status)] * 10), times)
        # Once in a call, whatever comes between.
        self.assertEqual(repeated(names, Failure(500), Failure(503), Failure(500), Failure(503)), 2)

    def test_transport(self):
        unknown = [ConnectionResetError(), TimeoutError()]
        for replay, times in [("", 0), ("[replay]\nsafe = true\n", 8)]:
            names = module(EXPONENTIAL + LIMITS + replay, "tenacity")
            for error in unknown:
                self.assertEqual(repeated(names, *[error] * 10), times, error)
            for error in (ConnectionRefusedError(), ConnectError()):
                self.assertEqual(repeated(names, *[error] * 10), 8, error)
            self.assertEqual(repeated(names, *[ValueError()] * 10), 0)

    def test_a_list_of_statuses(self):
        rule = '[retry_on]\nmode = "statuses"\nstatuses = [404, "5xx"]\ntransport = ["timeout"]\n'
        names = module(EXPONENTIAL + LIMITS + rule, "tenacity")
        for error, times in [
            (Failure(404), 8),
            (Failure(500), 8),
            (Failure(599), 8),
            (Failure(429), 0),
            (TimeoutError(), 8),
            (ConnectionResetError(), 0),
        ]:
            self.assertEqual(repeated(names, *[error] * 10), times, error)

    def test_time_ends_a_call_before_the_wait(self):
        limits = '[limits]\nmax_attempts = "unlimited"\ndeadline = "10s"\n'
        names = module('[backoff]\nkind = "constant"\nbase = "4s"\n' + limits, "tenacity")
        state = after(1, Failure(503))
        state.upcoming_sleep = 4.0
        for elapsed, ends in [(5.9, False), (6.0, True), (9.0, True)]:
            state.outcome_timestamp = state.start_time + elapsed
            self.assertEqual(names["retrying"].stop(state), ends, elapsed)

    def test_losses_are_in_the_module(self):
        text, losses = export(EXPONENTIAL + LIMITS, "tenacity")
        self.assertEqual(losses, ["limits.deadline", "classification"])
        for key in losses:
            self.assertIn(f"# - {key}: ", text)


if __name__ == "__main__":
    unittest.main()
