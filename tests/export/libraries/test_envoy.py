"""The exported YAML as the messages of Envoy's v3 API."""

import unittest

import yaml
from envoy.config.cluster.v3 import cluster_pb2
from envoy.config.route.v3 import route_components_pb2
from google.protobuf import json_format

from retrial import export

BACKOFF = '[backoff]\nkind = "exponential"\nbase = "25ms"\ncap = "250ms"\njitter = "full"\n'
LIMITS = '[limits]\nmax_attempts = 4\ndeadline = "15s"\nattempt_timeout = "2500ms"\n'
BUDGET = '[[budget]]\nkind = "concurrent"\nbudget_percent = 25\nmin_retry_concurrency = 5\n'


def messages(policy):
    """The route action and the cluster, each field known to Envoy and of its type."""
    document = yaml.safe_load(export(policy, "envoy")[0])
    route = json_format.ParseDict(document["route"], route_components_pb2.RouteAction())
    cluster = json_format.ParseDict(document.get("cluster", {}), cluster_pb2.Cluster())
    return route, cluster


class Envoy(unittest.TestCase):
    def test_a_route_and_its_budget(self):
        route, cluster = messages(BACKOFF + LIMITS + BUDGET)
        retry = route.retry_policy
        self.assertEqual(route.timeout.ToMilliseconds(), 15_000)
        self.assertEqual(retry.num_retries.value, 3)
        self.assertEqual(retry.per_try_timeout.ToMilliseconds(), 2_500)
        self.assertEqual(retry.retry_back_off.base_interval.ToMilliseconds(), 25)
        self.assertEqual(retry.retry_back_off.max_interval.ToMilliseconds(), 250)
        self.assertEqual(retry.retry_on, "retriable-status-codes,connect-failure,refused-stream")
        self.assertIn(503, retry.retriable_status_codes)
        self.assertNotIn(500, retry.retriable_status_codes)
        limited = retry.rate_limited_retry_back_off
        self.assertEqual([h.name for h in limited.reset_headers], ["Retry-After"])
        self.assertEqual(limited.max_interval.ToMilliseconds(), 60_000)
        budget = cluster.circuit_breakers.thresholds[0].retry_budget
        self.assertEqual(budget.budget_percent.value, 25)
        self.assertEqual(budget.min_retry_concurrency.value, 5)

    def test_no_bounds(self):
        limits = '[limits]\nmax_attempts = "unlimited"\ndeadline = "unlimited"\n'
        route, cluster = messages('[backoff]\nkind = "none"\n' + limits)
        self.assertEqual(route.timeout.ToNanoseconds(), 0)
        self.assertTrue(route.HasField("timeout"))
        self.assertFalse(route.retry_policy.HasField("per_try_timeout"))
        self.assertEqual(route.retry_policy.num_retries.value, 2**32 - 1)
        self.assertEqual(cluster.circuit_breakers.thresholds[0].max_retries.value, 2**32 - 1)

    def test_one_attempt_has_no_retry_policy(self):
        route, cluster = messages(BACKOFF + '[limits]\nmax_attempts = 1\ndeadline = "1s"\n')
        self.assertFalse(route.HasField("retry_policy"))

    def test_an_unknown_field_is_seen(self):
        with self.assertRaises(json_format.ParseError):
            json_format.ParseDict({"tries": 3}, route_components_pb2.RetryPolicy())


if __name__ == "__main__":
    unittest.main()
