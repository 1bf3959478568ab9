"""The exported service config under gRPC's C core, against a server that fails."""

import contextlib
import json
import unittest
from concurrent import futures

import grpc

from retrial import export

LIMITS = '[limits]\nmax_attempts = {}\ndeadline = "5s"\n'
BACKOFF = '[backoff]\nkind = "exponential"\nbase = "2ms"\ncap = "4ms"\n'


@contextlib.contextmanager
def failing(code, times=10**9):
    """A server whose first `times` answers are `code`; yields its address and the list of calls."""
    calls = []

    def answer(request, context):
        calls.append(request)
        if len(calls) <= times:
            context.abort(code, "no")
        return b"yes"

    server = grpc.server(futures.ThreadPoolExecutor(4))
    handlers = {"Call": grpc.unary_unary_rpc_method_handler(answer)}
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler("test", handlers)])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"127.0.0.1:{port}", calls
    finally:
        server.stop(None).wait()


def call(address, config):
    """The answer of one call, or the status code it ended with."""
    with grpc.insecure_channel(address, [("grpc.service_config", config)]) as channel:
        try:
            return channel.unary_unary("/test/Call")(b"", timeout=10)
        except grpc.RpcError as error:
            return error.code()


class ServiceConfig(unittest.TestCase):
    def attempts(self, policy, code=grpc.StatusCode.UNAVAILABLE):
        config, _ = export(policy, "grpc-service-config")
        with failing(code) as (address, calls):
            self.assertEqual(call(address, config), code)
            return len(calls)

    def test_attempts(self):
        for attempts, made in ((1, 1), (2, 2), (4, 4), (5, 5), (8, 5), ('"unlimited"', 5)):
            self.assertEqual(self.attempts(BACKOFF + LIMITS.format(attempts)), made)

    def test_a_call_succeeds_after_failures(self):
        config, _ = export(BACKOFF + LIMITS.format(4), "grpc-service-config")
        with failing(grpc.StatusCode.UNAVAILABLE, times=3) as (address, calls):
            self.assertEqual((call(address, config), len(calls)), (b"yes", 4))

    def test_codes(self):
        policy = BACKOFF + LIMITS.format(3)
        for code, made in (
            (grpc.StatusCode.RESOURCE_EXHAUSTED, 3),
            (grpc.StatusCode.ABORTED, 3),
            (grpc.StatusCode.INTERNAL, 1),
            (grpc.StatusCode.UNKNOWN, 1),
            (grpc.StatusCode.INVALID_ARGUMENT, 1),
            (grpc.StatusCode.UNAUTHENTICATED, 1),
        ):
            self.assertEqual(self.attempts(policy, code), made, code)
        # With two attempts, once is always.
        self.assertEqual(self.attempts(BACKOFF + LIMITS.format(2), grpc.StatusCode.INTERNAL), 2)

    def test_every_kind_of_backoff_is_accepted(self):
        for backoff in (
            'kind = "none"',
            'kind = "constant"\nbase = "1ns"',
            'kind = "linear"\nbase = "2ms"\nstep = "1ms"',
            'kind = "fibonacci"\nbase = "2ms"\ncap = "4ms"',
            'kind = "schedule"\nschedule = ["0s", "3ms"]',
            'kind = "decorrelated"\nbase = "2ms"\ncap = "5ms"',
            'kind = "smooth_decorrelated"\nbase = "2ms"\ncap = "5ms"',
        ):
            policy = f"[backoff]\n{backoff}\n" + LIMITS.format(4)
            self.assertEqual(self.attempts(policy), 4, backoff)

    def test_throttling_ends_retries(self):
        # Half of the tokens are left after the second failure: no third attempt, and then none.
        budget = '[[budget]]\nkind = "grpc"\nmax_tokens = 4\ntoken_ratio = 0.1\n'
        config, _ = export(BACKOFF + LIMITS.format(5) + budget, "grpc-service-config")
        with failing(grpc.StatusCode.UNAVAILABLE) as (address, calls):
            with grpc.insecure_channel(address, [("grpc.service_config", config)]) as channel:
                counts = []
                for _ in range(2):
                    with self.assertRaises(grpc.RpcError):
                        channel.unary_unary("/test/Call")(b"", timeout=10)
                    counts.append(len(calls))
            self.assertEqual(counts, [2, 3])

    def test_the_deadline_is_the_whole_call(self):
        policy = BACKOFF + '[limits]\nmax_attempts = 5\ndeadline = "300ms"\n'
        config, _ = export(policy, "grpc-service-config")
        self.assertEqual(json.loads(config)["methodConfig"][0]["timeout"], "0.3s")

    def test_what_grpc_refuses_is_seen(self):
        # The check would pass nonsense if a broken config went unnoticed.
        config = json.loads(export(BACKOFF + LIMITS.format(4), "grpc-service-config")[0])
        config["methodConfig"][0]["retryPolicy"]["initialBackoff"] = "soon"
        with failing(grpc.StatusCode.UNAVAILABLE) as (address, calls):
            call(address, json.dumps(config))
            self.assertNotEqual(len(calls), 4)


if __name__ == "__main__":
    unittest.main()
