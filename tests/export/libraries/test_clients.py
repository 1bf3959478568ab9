"""botocore and openai-python with the exported arguments, against a server that always fails."""

import unittest
from unittest import mock

import botocore.retries.standard
import botocore.session
import openai
import openai._base_client

from loopback import answering
from retrial import export, module

BACKOFF = '[backoff]\nkind = "exponential"\nbase = "1ms"\n'


def limits(attempts, timeout="unlimited"):
    return f'[limits]\nmax_attempts = {attempts}\ndeadline = "unlimited"\nattempt_timeout = "{timeout}"\n'


class Botocore(unittest.TestCase):
    def config(self, policy):
        return module(policy, "botocore")["config"]

    def client(self, policy, url="http://127.0.0.1:9"):
        return botocore.session.Session().create_client(
            "sqs",
            region_name="us-east-1",
            endpoint_url=url,
            aws_access_key_id="none",
            aws_secret_access_key="none",
            config=self.config(policy),
        )

    def test_the_config_says_what_the_policy_says(self):
        config = self.client(BACKOFF + limits(7, "1500ms")).meta.config
        self.assertEqual(config.retries["total_max_attempts"], 7)
        self.assertEqual(config.retries["mode"], "standard")
        self.assertEqual((config.connect_timeout, config.read_timeout), (1.5, 1.5))
        config = self.client(BACKOFF + limits('"unlimited"')).meta.config
        self.assertEqual(config.retries["total_max_attempts"], 2**31 - 1)
        self.assertIsNone(config.read_timeout)

    def test_adaptive_mode_stands_for_the_send_limiter(self):
        adaptive = '[[budget]]\nkind = "aws_quota"\n[[budget]]\nkind = "aws_adaptive"\n'
        policy = BACKOFF + limits(3) + adaptive
        self.assertEqual(self.client(policy).meta.config.retries["mode"], "adaptive")
        self.assertFalse([key for key in export(policy, "botocore")[1] if key.startswith("budget")])

    def test_attempts(self):
        for attempts in (1, 2, 4):
            for status in (503, 429):
                with answering(status) as (url, requests), mock.patch("time.sleep"):
                    with self.assertRaises(Exception):
                        self.client(BACKOFF + limits(attempts), url).list_queues()
                    self.assertEqual(len(requests), attempts, status)

    def test_its_fixed_statuses_are_those_of_the_export(self):
        checker = botocore.retries.standard.TransientRetryableChecker
        throttling = botocore.retries.standard.ThrottlingStatusCodeChecker
        fixed = set(checker._TRANSIENT_STATUS_CODES + throttling._THROTTLING_STATUS_CODES)
        self.assertEqual(fixed, {429, 500, 502, 503, 504})
        statuses = ", ".join(str(status) for status in sorted(fixed))
        rule = f'[retry_on]\nmode = "statuses"\nstatuses = [{statuses}]\n'
        self.assertNotIn("retry_on.statuses", export(BACKOFF + limits(3) + rule, "botocore")[1])

    def test_its_fixed_waits_are_those_of_the_export(self):
        backoff = (
            '[backoff]\nkind = "exponential"\nbase = "50ms"\nthrottled_base = "1s"\ncap = "20s"\n'
            'jitter = "full"\n'
        )
        losses = export(backoff + limits(12), "botocore")[1]
        self.assertFalse([key for key in losses if key.startswith("backoff")])
        most = botocore.retries.standard.ExponentialBackoff(random=lambda: 1.0)
        for n in range(1, 12):
            context = botocore.retries.standard.RetryContext(n)
            self.assertEqual(most.delay_amount(context), min(20, 0.05 * 2 ** (n - 1)))


class OpenAi(unittest.TestCase):
    def client(self, policy, url="http://127.0.0.1:9"):
        with mock.patch.dict("os.environ", OPENAI_API_KEY="none", OPENAI_BASE_URL=url):
            return module(policy, "openai-python")["client"]

    def attempts(self, policy, status, headers=()):
        """Attempts made, without the waits between them."""
        with answering(status, headers) as (url, requests), mock.patch("time.sleep"):
            with self.assertRaises(openai.OpenAIError):
                self.client(policy, url).models.list()
            return len(requests)

    def test_the_client_says_what_the_policy_says(self):
        client = self.client(BACKOFF + limits(7, "1500ms"))
        self.assertEqual((client.max_retries, client.timeout), (6, 1.5))
        self.assertIsNone(self.client(BACKOFF + limits(1)).timeout)

    def test_attempts(self):
        for attempts in (1, 2, 4):
            self.assertEqual(self.attempts(BACKOFF + limits(attempts), 503), attempts)

    def test_its_fixed_statuses_are_those_of_the_export(self):
        for status in (400, 404, 408, 409, 423, 425, 429, 500, 501, 529, 599):
            covered = status in (408, 409, 429) or status >= 500
            self.assertEqual(self.attempts(BACKOFF + limits(2), status), 2 if covered else 1)
        rule = '[retry_on]\nmode = "statuses"\nstatuses = [408, 409, 429, "5xx"]\n'
        self.assertNotIn("retry_on.statuses", export(BACKOFF + limits(3) + rule, "openai-python")[1])

    def test_past_two_minutes_it_stops(self):
        for asked, attempts in (("120", 2), ("121", 1)):
            headers = [("retry-after", asked)]
            self.assertEqual(self.attempts(BACKOFF + limits(2), 503, headers), attempts)

    def test_its_fixed_waits_are_those_of_the_export(self):
        backoff = (
            '[backoff]\nkind = "exponential"\nbase = "500ms"\ncap = "8s"\njitter = "shrink"\n'
            "jitter_ratio = 0.25\n"
        )
        losses = export(backoff + limits(8), "openai-python")[1]
        self.assertFalse([key for key in losses if key.startswith("backoff")])
        client = self.client(backoff + limits(8))
        for n in range(7):
            for draw, factor in ((0.0, 1.0), (1.0, 0.75)):
                with mock.patch.object(openai._base_client, "random", lambda: draw):
                    options = mock.Mock(get_max_retries=lambda most: most)
                    wait = client._calculate_retry_timeout(7 - n, options)
                self.assertEqual(wait, min(8, 0.5 * 2**n) * factor)


if __name__ == "__main__":
    unittest.main()
