//! Every preset of the measured file as a policy of this crate, or the reason why it isn't one.
//!
//! p-retry and retry round to the nearest whole millisecond and `round` goes down, so the exact value
//! stands in for it: it has the same mean and the same extremes.

use crate::preset::{Fit, Preset, hinted, inexpressible, of, only, throttled, whole};

const DOUBLING: &str = "kind = 'exponential', base = '1s'";
const DOUBLING_TO_60: &str = "kind = 'exponential', base = '1s', cap = '60s'";
const DOUBLING_TO_60_FULL: &str = "kind = 'exponential', base = '1s', cap = '60s', jitter = 'full'";
const BOUNDED: &str = "the lower edge stays at half the first delay while the upper one grows";

/// All presets of the file, in its order.
pub static PRESETS: &[Preset] = &[
    of("backon", "rs:backon 1.6.0", "Exponential defaults(min=1s,max=60s,factor=2),jitter=off", ""),
    of(
        "backon",
        "rs:backon 1.6.0",
        "Exponential defaults(min=1s,max=60s,factor=2),jitter=on",
        "jitter = 'stretch', jitter_ratio = 1",
    ),
    whole(
        "rs:backon 1.6.0",
        "Fibonacci defaults(min=1s,max=60s),jitter=off",
        "kind = 'fibonacci', base = '1s', cap = '60s'",
    ),
    whole(
        "rs:backon 1.6.0",
        "Fibonacci defaults(min=1s,max=60s),jitter=on",
        "kind = 'fibonacci', base = '1s', cap = '60s', jitter = 'add', add = '1s'",
    ),
    // It stops growing only after the maximum was passed, so a cap can't express it.
    whole(
        "rs:backon 1.6.0",
        "Fibonacci(min=1s,max=10s),jitter=off",
        "kind = 'schedule', schedule = ['1s', '1s', '2s', '3s', '5s', '8s', '13s']",
    ),
    whole(
        "rs:backoff 0.4.0",
        "defaults(initial=500ms,mult=1.5,rand=0.5,max=60s,elapsed=900s)",
        "kind = 'exponential', base = '500ms', factor = 1.5, cap = '60s', \
         jitter = 'proportional', jitter_ratio = 0.5",
    ),
    whole(
        "rs:backoff 0.4.0",
        "defaults,rand=0",
        "kind = 'exponential', base = '500ms', factor = 1.5, cap = '60s'",
    ),
    whole(
        "rs:backoff 0.4.0",
        "initial=1s,mult=2,rand=0.5,max=10s",
        "kind = 'exponential', base = '1s', cap = '10s', jitter = 'proportional', \
         jitter_ratio = 0.5",
    ),
    inexpressible(
        "rs:exponential-backoff 2.1.1",
        "min=100ms,max=10s,jitter=0.3,factor=2",
        "up to 30 % down in one half of the cases, 15 to 30 % up in the other, nothing between",
    ),
    whole(
        "rs:exponential-backoff 2.1.1",
        "min=100ms,max=10s,jitter=0,factor=2",
        "kind = 'exponential', base = '100ms', cap = '10s'",
    ),
    whole("rs:tokio-retry 0.3.2", "ExponentialBackoff::from_millis(2).factor(500)", DOUBLING),
    whole(
        "rs:tokio-retry 0.3.2",
        "ExponentialBackoff::from_millis(10).max_delay(60s)",
        "kind = 'exponential', base = '10ms', factor = 10, cap = '60s'",
    ),
    whole(
        "rs:tokio-retry 0.3.2",
        "ExponentialBackoff::from_millis(2).factor(500).max_delay(60s).map(jitter)",
        DOUBLING_TO_60_FULL,
    ),
    whole(
        "rs:tokio-retry 0.3.2",
        "FibonacciBackoff::from_millis(1000)",
        "kind = 'fibonacci', base = '1s'",
    ),
    whole(
        "rs:tokio-retry2 0.6.2",
        "ExponentialFactorBackoff::from_millis(500,2.0).max_delay(60s)",
        "kind = 'exponential', base = '500ms', cap = '60s'",
    ),
    whole(
        "rs:tokio-retry2 0.6.2",
        "ExponentialFactorBackoff::from_millis(500,2.0).max_delay(60s).map(jitter)",
        "kind = 'exponential', base = '500ms', cap = '60s', jitter = 'proportional', \
         jitter_ratio = 0.5",
    ),
    whole(
        "rs:tokio-retry2 0.6.2",
        "ExponentialFactorBackoff::from_millis(500,2.0).max_delay(60s).map(jitter_range(0.5,1.0))",
        "kind = 'exponential', base = '500ms', cap = '60s', jitter = 'shrink', jitter_ratio = 0.5",
    ),
    of(
        "reqwest-retry",
        "rs:retry-policies 0.5.2",
        "defaults(min=1s,max=30min,base=2),Jitter::Full(default)",
        "",
    ),
    only(
        "rs:retry-policies 0.5.2",
        "defaults(min=1s,max=30min,base=2),Jitter::Bounded",
        "kind = 'exponential', base = '1s', cap = '30m', jitter = 'equal'",
        1..=1,
        BOUNDED,
    ),
    // It gives wall-clock times, so the clock's own progress is part of what was measured.
    Preset {
        tolerance_ns: 1_000,
        ..of(
            "reqwest-retry",
            "rs:retry-policies 0.5.2",
            "defaults(min=1s,max=30min,base=2),Jitter::None",
            "jitter = 'none'",
        )
    },
    only(
        "rs:retry-policies 0.5.2",
        "retry_bounds(1s,10s),Jitter::Bounded",
        "kind = 'exponential', base = '1s', cap = '10s', jitter = 'equal'",
        1..=1,
        BOUNDED,
    ),
    Preset {
        fit: Fit::Only(
            1..=5,
            "from 1 s on, seconds and nanoseconds of the jitter are truncated separately",
        ),
        ..of(
            "tower",
            "rs:tower 0.5.3",
            "ExponentialBackoffMaker default(min=50ms,max=u64::MAX ms,jitter=0.99),fresh maker",
            "",
        )
    },
    whole(
        "rs:tower 0.5.3",
        "ExponentialBackoffMaker::new(50ms,1s,0.5),fresh maker",
        "kind = 'exponential', base = '50ms', cap = '1s', jitter = 'stretch', \
         jitter_ratio = 0.5, cap_order = 'jitter_then_cap'",
    ),
    inexpressible(
        "rs:tower 0.5.3",
        "ExponentialBackoffMaker::new(50ms,1s,0.5),ONE shared maker(sd=0 shows the shared-jitter \
         defect)",
        "every call draws the same jitter, which no two calls of one policy do here",
    ),
    whole(
        "rs:tower 0.5.3",
        "ExponentialBackoffMaker::new(50ms,1s,0.0)",
        "kind = 'exponential', base = '50ms', cap = '1s'",
    ),
    whole(
        "rs:tower-resilience-retry 0.14.0",
        "layer default ExponentialBackoff(100ms,x2,no cap,no jitter)",
        "kind = 'exponential', base = '100ms'",
    ),
    whole(
        "rs:tower-resilience-retry 0.14.0",
        "ExponentialRandomBackoff(100ms,rand=0.5,x2,max=5s)",
        "kind = 'exponential', base = '100ms', cap = '5s', jitter = 'proportional', \
         jitter_ratio = 0.5",
    ),
    inexpressible(
        "rs:failsafe 1.3.0",
        "equal_jittered(10s,300s) = circuit-breaker default",
        "whole seconds, both ends included: rounding down never gives the upper one",
    ),
    // Whole seconds from 0 to D, both included, are those from 0 to just below D + 1 rounded down.
    whole(
        "rs:failsafe 1.3.0",
        "full_jittered(10s,300s)",
        "kind = 'schedule', schedule = ['10s 999999999ns', '20s 999999999ns', '40s 999999999ns', \
         '80s 999999999ns', '160s 999999999ns', '300s 999999999ns'], jitter = 'full', round = '1s'",
    ),
    whole(
        "rs:failsafe 1.3.0",
        "exponential(10s,300s)",
        "kind = 'exponential', base = '10s', cap = '300s'",
    ),
    of(
        "google-cloud-gax",
        "rs:google-cloud-gax 1.15.0",
        "ExponentialBackoff default(initial=1s,max=60s,scaling=2,full jitter)",
        "",
    ),
    of(
        "google-cloud-gax",
        "rs:google-cloud-gax 1.15.0",
        "PollingBackoff default(initial=1s,max=60s,scaling=2,no jitter)",
        "jitter = 'none'",
    ),
    of("aws-rust-2.0", "rs:aws-smithy-runtime 1.16.2", "standard 2.0(initial=1s,max=20s)", ""),
    of(
        "botocore-standard",
        "rs:aws-smithy-runtime 1.16.2",
        "standard 2.1 non-throttling(50ms,max=20s)",
        "",
    ),
    throttled(of(
        "botocore-standard",
        "rs:aws-smithy-runtime 1.16.2",
        "standard 2.1 throttling(1s,max=20s)",
        "",
    )),
    of(
        "aws-rust-2.0",
        "rs:aws-smithy-runtime 1.16.2",
        "standard 2.0,static base",
        "jitter = 'none'",
    ),
    of(
        "botocore-standard",
        "rs:aws-smithy-runtime 1.16.2",
        "standard 2.1 non-throttling,static base",
        "jitter = 'none'",
    ),
    throttled(of(
        "botocore-standard",
        "rs:aws-smithy-runtime 1.16.2",
        "standard 2.1 throttling,static base",
        "jitter = 'none'",
    )),
    whole("rs:retry 2.2.0", "Exponential::from_millis(10)", "kind = 'exponential', base = '10ms'"),
    whole("rs:retry 2.2.0", "Exponential::from_millis_with_factor(1000,2.0)", DOUBLING),
    whole(
        "rs:retry 2.2.0",
        "Exponential::from_millis_with_factor(1000,2.0).map(jitter)",
        "kind = 'exponential', base = '1s', jitter = 'full'",
    ),
    of("tenacity", "py:tenacity 9.2.1", "wait_exponential(multiplier=1,max=60)", "jitter = 'none'"),
    of("tenacity", "py:tenacity 9.2.1", "wait_random_exponential(multiplier=1,max=60)", ""),
    of(
        "google-genai",
        "py:tenacity 9.2.1",
        "wait_exponential_jitter(multiplier=1,max=60,jitter=1)",
        "",
    ),
    of(
        "google-genai",
        "py:tenacity 9.2.1",
        "wait_exponential_jitter(multiplier=1,max=10,jitter=1)",
        "cap = '10s'",
    ),
    of("stamina", "py:stamina 26.1.0", "defaults(initial=0.1,max=5,jitter=1,base=2)", ""),
    of("stamina", "py:stamina 26.1.0", "defaults,jitter=0", "add = '0s'"),
    of("botocore-standard", "py:botocore 1.44.8", "standard,non-throttling(base=0.05,max=20)", ""),
    throttled(of(
        "botocore-standard",
        "py:botocore 1.44.8",
        "standard,throttling(base=1,max=20)",
        "",
    )),
    of(
        "botocore-standard",
        "py:botocore 1.44.8",
        "standard,dynamodb,non-throttling(base=0.025,max=20)",
        "base = '25ms'",
    ),
    of(
        "botocore-standard",
        "py:botocore 1.44.8",
        "standard,non-throttling,jitter-pinned-to-1",
        "jitter = 'none'",
    ),
    throttled(of(
        "botocore-standard",
        "py:botocore 1.44.8",
        "standard,throttling,jitter-pinned-to-1",
        "jitter = 'none'",
    )),
    hinted(
        1500,
        of(
            "botocore-standard",
            "py:botocore 1.44.8",
            "standard,non-throttling,x-amz-retry-after=1500ms",
            "",
        ),
    ),
    hinted(
        60_000,
        of(
            "botocore-standard",
            "py:botocore 1.44.8",
            "standard,non-throttling,x-amz-retry-after=60000ms",
            "",
        ),
    ),
    of("botocore-legacy", "py:botocore 1.44.8", "legacy(base=rand,growth=2)", ""),
    of(
        "urllib3",
        "py:urllib3 2.8.0",
        "Retry(backoff_factor=1,backoff_jitter=0,backoff_max=120)",
        "",
    ),
    of(
        "urllib3",
        "py:urllib3 2.8.0",
        "Retry(backoff_factor=1,backoff_jitter=1,backoff_max=120)",
        "jitter = 'add', add = '1s'",
    ),
    of(
        "urllib3",
        "py:urllib3 2.8.0",
        "Retry(backoff_factor=0.5,backoff_jitter=1,backoff_max=10)",
        "base = '500ms', cap = '10s', jitter = 'add', add = '1s'",
    ),
    of(
        "google-api-core",
        "py:google-api-core 2.44.0",
        "Retry defaults(initial=1,maximum=60,multiplier=2)",
        "",
    ),
    of("openai-python", "py:openai 3.57.0", "defaults(initial=0.5,max=8,jitter -0..25%)", ""),
    of("anthropic-python", "py:anthropic 2.14.0", "defaults(initial=0.5,max=8,jitter -0..25%)", ""),
    whole(
        "py:backoff 2.2.1",
        "expo(base=2,factor=1,max_value=60)+full_jitter",
        DOUBLING_TO_60_FULL,
    ),
    whole(
        "py:backoff 2.2.1",
        "expo(base=2,factor=1,max_value=60)+random_jitter",
        "kind = 'exponential', base = '1s', cap = '60s', jitter = 'add', add = '1s'",
    ),
    whole("py:backoff 2.2.1", "expo(base=2,factor=1,max_value=60),no jitter", DOUBLING_TO_60),
    of("azure-core", "py:azure-core 1.41.0", "RetryPolicy defaults(factor=0.8,max=120)", ""),
    of(
        "stripe",
        "py:stripe 16.1.0",
        "HTTPClient(initial=0.5,max=5,equal jitter,floor=initial)",
        "",
    ),
    of(
        "aws-2015-full",
        "py:aws-arch-backoff-simulator 66cb169",
        "ExpoBackoff(base=5,cap=2000)",
        "jitter = 'none'",
    ),
    of("aws-2015-full", "py:aws-arch-backoff-simulator 66cb169", "FullJitter(base=5,cap=2000)", ""),
    of(
        "aws-2015-equal",
        "py:aws-arch-backoff-simulator 66cb169",
        "EqualJitter(base=5,cap=2000)",
        "",
    ),
    of(
        "aws-2015-decorrelated",
        "py:aws-arch-backoff-simulator 66cb169",
        "Decorr(base=5,cap=2000)",
        "",
    ),
    of(
        "aws-2015-decorrelated",
        "py:aws-arch-backoff-simulator 66cb169",
        "Decorr(base=100,cap=2000)",
        "base = '100ms'",
    ),
    of("p-retry", "js:p-retry 7.1.1", "defaults(minTimeout=1000,factor=2,randomize=false)", ""),
    of(
        "p-retry",
        "js:p-retry 7.1.1",
        "randomize=true,minTimeout=1000,factor=2",
        "jitter = 'stretch', jitter_ratio = 1",
    ),
    of(
        "p-retry",
        "js:p-retry 7.1.1",
        "randomize=true,minTimeout=1000,factor=2,maxTimeout=8000",
        "cap = '8s', jitter = 'stretch', jitter_ratio = 1, cap_order = 'jitter_then_cap'",
    ),
    of("p-retry", "js:retry 0.13.1", "defaults(minTimeout=1000,factor=2,randomize=false)", ""),
    of("p-retry", "js:retry 0.13.1", "randomize=true", "jitter = 'stretch', jitter_ratio = 1"),
    of(
        "cockatiel",
        "js:cockatiel 3.2.1",
        "noJitter(initial=128,max=30000,exp=2)",
        "kind = 'exponential'",
    ),
    of(
        "cockatiel",
        "js:cockatiel 3.2.1",
        "fullJitter(initial=128,max=30000,exp=2)",
        "kind = 'exponential', jitter = 'full', round = '1ms'",
    ),
    of(
        "cockatiel",
        "js:cockatiel 3.2.1",
        "halfJitter(initial=128,max=30000,exp=2)",
        "kind = 'exponential', jitter = 'equal', round = '1ms'",
    ),
    of(
        "cockatiel",
        "js:cockatiel 3.2.1",
        "decorrelatedJitter=default=Polly V2(initial=128,max=30000,exp=2)",
        "",
    ),
    of(
        "polly-v2",
        "js:cockatiel 3.2.1",
        "decorrelatedJitter=Polly V2(initial=1000,uncapped)",
        "base = '1s'",
    ),
    of("got", "js:got 14.6.6", "defaults(2^(n-1)*1000 + U[0,100))", ""),
    of(
        "grpc-a6",
        "js:@grpc/grpc-js 1.14.7",
        "A6 example(initial=0.1s,max=1s,mult=2,jitter +-20%)",
        "",
    ),
    of("axios-retry", "js:axios-retry 4.5.0", "exponentialDelay(factor=100)", ""),
    of("undici", "js:undici 7.30.2", "RetryHandler defaults(min=500,max=30000,factor=2)", ""),
    of(
        "botocore-standard",
        "js:@smithy/util-retry 4.6.2",
        "standard,transient(base=50ms,max=20s)",
        "round = '1ms'",
    ),
    throttled(of(
        "botocore-standard",
        "js:@smithy/util-retry 4.6.2",
        "standard,throttling(base=1s,max=20s)",
        "round = '1ms'",
    )),
    of(
        "openai-node",
        "js:openai 6.49.0",
        "calculateDefaultRetryTimeoutMillis(0.5s,8s,-0..25%)",
        "",
    ),
    of(
        "anthropic-ts",
        "js:@anthropic-ai/sdk 1.14.0",
        "calculateDefaultRetryTimeoutMillis(0.5s,8s,-0..25%)",
        "",
    ),
];
