//! The samplers draw the laws they claim, the same bits everywhere, from independent streams.
//!
//! Streams have fixed keys, so nothing can flake. A bound of 5 standard errors would fail a right
//! sampler for one in 1.7 million choices of keys, if sums are as good as normal.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use rand_distr::{
    Distribution as _, Exp1, Gamma, LogNormal, Pareto, StandardNormal, StandardUniform, Weibull,
};
use retrial::engine::distribution::Distribution;
use retrial::engine::sample::{
    Poisson, standard_exponential, standard_gamma, standard_normal, standard_pareto,
    standard_weibull,
};
use retrial::engine::stream::{Purpose, Stream, StreamKey};
use retrial_policy::mix::mix;
use retrial_policy::{CallKey, Nanos};
use statrs::distribution::{ChiSquared, ContinuousCDF, Discrete};

const DRAWS: usize = 1_000_000;

fn stream(number: u64) -> Stream {
    StreamKey::of_run(20_260_101, number, Purpose::Network, 0).part(0)
}

fn draws(number: u64, mut sampler: impl FnMut(&mut Stream) -> f64) -> Vec<f64> {
    let mut stream = stream(number);
    (0..DRAWS).map(|_| sampler(&mut stream)).collect()
}

const SIGMA: f64 = 0.25;

/// In multiples of the median.
fn lognormal(stream: &mut Stream) -> f64 {
    let law = Distribution::LogNormal { median: 1e9, sigma: SIGMA };
    law.sample(stream).get() as f64 / 1e9
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Whether the mean of `values` is that of a law with this mean and variance.
fn assert_mean(what: &str, values: &[f64], expected: f64, variance: f64) {
    let error = (variance / values.len() as f64).sqrt();
    let z = (mean(values) - expected) / error;
    assert!(z.abs() < 5.0, "{what}: {} instead of {expected}, {z:.1} sd", mean(values));
}

/// A million draws each, folded into one word. Debug and release builds, and every platform, must
/// give these values; a change of any is a change of every committed result.
#[test]
fn draws_are_the_committed_ones() {
    let hash = |mut word: Box<dyn FnMut(&mut Stream) -> u64>| {
        let mut stream = stream(0);
        (0..DRAWS).fold(0, |hash, _| mix(hash, word(&mut stream)))
    };
    let of_law = |law: Distribution| hash(Box::new(move |stream| law.sample(stream).get()));
    let poisson = |mean: f64| {
        let law = Poisson::new(mean);
        hash(Box::new(move |stream| law.sample(stream)))
    };
    let (min, max) = (Nanos::from_millis(3), Nanos::from_millis(17));
    let cases = [
        ("words", hash(Box::new(Stream::next_bits)), 0x934d_f6a6_62a7_c275),
        ("uniform", hash(Box::new(|stream| stream.next_open01().to_bits())), 0x0c0d_6843_7f22_c325),
        (
            "normal",
            hash(Box::new(|stream| standard_normal(stream).to_bits())),
            0xc35b_c400_6179_6039,
        ),
        (
            "exponential",
            hash(Box::new(|stream| standard_exponential(stream).to_bits())),
            0x8dc6_045b_abf2_3ddc,
        ),
        ("Poisson by inversion", poisson(3.0), 0x4be0_6a52_44f1_818a),
        ("Poisson by rejection", poisson(50.0), 0xaf4c_91a9_72c2_44f0),
        (
            "exponential duration",
            of_law(Distribution::Exponential { mean: 5e6 }),
            0xce16_75f9_6dc7_77bf,
        ),
        (
            "normal duration",
            of_law(Distribution::Normal { mean: 10e6, sd: 2e6 }),
            0xc537_a8ce_2264_5a73,
        ),
        ("log-normal duration", of_law(Distribution::lognormal(min, max)), 0x84d5_1336_e939_5f14),
        ("uniform duration", of_law(Distribution::Uniform { min, max }), 0x6538_bc5c_0b04_7a52),
        ("gamma duration", of_law(Distribution::gamma(5e6, 0.5)), 0x4465_f79d_d857_dbfc),
        (
            "gamma duration, shape below 1",
            of_law(Distribution::gamma(5e6, 3.0)),
            0x37a6_504b_02e7_6b6b,
        ),
        ("Weibull duration", of_law(Distribution::weibull(5e6, 2.0)), 0x3927_67a0_b46c_f4c1),
        (
            "Pareto duration",
            of_law(Distribution::Pareto { min: 5e6, shape: 1.5 }),
            0x61f4_1a36_72d7_990d,
        ),
        (
            "empirical duration",
            of_law(Distribution::Empirical([3, 14, 15, 92, 65].into())),
            0xc493_1a2b_6a0f_8e49,
        ),
    ];
    let changed = cases.into_iter().filter(|(_, got, expected)| got != expected);
    let changed: Vec<_> = changed.map(|(what, got, _)| format!("{what}: {got:#018x}")).collect();
    assert!(changed.is_empty(), "{changed:#?}");
}

/// E[X^k] for k = 1 to 4 against the closed forms; the error of a k-th power's mean comes from
/// the 2k-th moment.
#[test]
fn moments_match_their_closed_forms() {
    let odd_is_zero =
        |k: i32| if k % 2 == 1 { 0.0 } else { (1..k).step_by(2).product::<i32>() as f64 };
    let factorial = |k: i32| (1..=k).map(f64::from).product();
    let uniform = |k: i32| 1.0 / f64::from(k + 1);
    let log_normal = |k: i32| (f64::from(k * k) * SIGMA * SIGMA / 2.0).exp();
    type Sampler = fn(&mut Stream) -> f64;
    type Moment<'a> = &'a dyn Fn(i32) -> f64;
    let cases: [(&str, Sampler, Moment<'_>); 4] = [
        ("normal", standard_normal, &odd_is_zero),
        ("exponential", standard_exponential, &factorial),
        ("uniform", Stream::next_open01, &uniform),
        ("log-normal", lognormal, &log_normal),
    ];
    for (number, (what, sampler, moment)) in (1..).zip(cases) {
        let values = draws(number, sampler);
        for k in 1..=4 {
            let powers: Vec<_> = values.iter().map(|x| x.powi(k)).collect();
            let variance = moment(2 * k) - moment(k) * moment(k);
            assert_mean(&format!("{what}, moment {k}"), &powers, moment(k), variance);
        }
    }
}

/// Durations: scaled, folded at zero and rounded to whole nanoseconds. Closed forms for mean and
/// variance in seconds.
#[test]
fn durations_have_the_parameters_they_were_given() {
    let (min, max) = (Nanos::from_millis(200), Nanos::from_millis(700));
    let half_normal = 2.0 / PI;
    for (number, (law, expected, variance)) in (10..).zip([
        (Distribution::Exponential { mean: 0.3e9 }, 0.3, 0.09),
        // Folding matters 5 sd away from zero in one draw of 3.5 million only.
        (Distribution::Normal { mean: 0.5e9, sd: 0.1e9 }, 0.5, 0.01),
        (Distribution::Normal { mean: 0.0, sd: 1e9 }, half_normal.sqrt(), 1.0 - half_normal),
        (Distribution::Uniform { min, max }, 0.45, 0.25 / 12.0),
        (Distribution::gamma(0.3e9, 0.5), 0.3, 0.0225),
        (Distribution::gamma(0.3e9, 1.0), 0.3, 0.09),
        (Distribution::gamma(0.3e9, 0.01), 0.3, 9e-6),
        (Distribution::weibull(0.3e9, 0.5), 0.3, 0.0225),
        (Distribution::weibull(0.3e9, 1.0), 0.3, 0.09),
        (Distribution::weibull(0.3e9, 0.01), 0.3, 9e-6),
    ]) {
        let values = draws(number, |stream| law.sample(stream).get() as f64 / 1e9);
        assert_mean(&format!("{law:?}"), &values, expected, variance);
        let squares: Vec<_> = values.iter().map(|x| (x - expected) * (x - expected)).collect();
        // No law here has a kurtosis above the exponential's, 9.
        let error = (8.0 / DRAWS as f64).sqrt();
        let excess = mean(&squares) / variance - 1.0;
        assert!(excess.abs() < 5.0 * error, "{law:?}: variance off by {excess}");
    }
}

/// Both ends included, each with its third: sd √(30000 · 2/9) = 82.
#[test]
fn a_uniform_duration_has_both_its_ends() {
    let law = Distribution::Uniform { min: Nanos::new(5), max: Nanos::new(7) };
    let mut counts = [0_u32; 3];
    let mut stream = stream(20);
    (0..30_000).for_each(|_| counts[law.sample(&mut stream).get() as usize - 5] += 1);
    assert!(counts.iter().all(|count| count.abs_diff(10_000) < 410), "{counts:?}");
}

#[test]
fn log_normal_has_its_median_and_99_percent_quantile() {
    let (median, p99) = (Nanos::from_millis(400), Nanos::from_secs(2));
    let law = Distribution::lognormal(median, p99);
    let mut stream = stream(21);
    let values: Vec<_> = (0..DRAWS).map(|_| law.sample(&mut stream)).collect();
    for (quantile, share) in [(median, 0.5), (p99, 0.01)] {
        let above = values.iter().map(|value| f64::from(*value > quantile)).collect::<Vec<_>>();
        assert_mean(&format!("share above {quantile}"), &above, share, share * (1.0 - share));
    }
}

/// Heavy tails: the mean's error comes from the variance; the variance's own would come from a
/// fourth moment too large to be useful.
#[test]
fn heavy_tailed_durations_have_their_mean() {
    // min · shape / (shape − 1), and min² · shape / ((shape − 1)² (shape − 2)).
    let pareto = Distribution::Pareto { min: 0.2e9, shape: 3.0 };
    for (number, (law, expected, variance)) in (22..).zip([
        (Distribution::gamma(0.3e9, 3.0), 0.3, 0.81),
        (Distribution::weibull(0.3e9, 3.0), 0.3, 0.81),
        (pareto, 0.3, 0.03),
    ]) {
        let values = draws(number, |stream| law.sample(stream).get() as f64 / 1e9);
        assert_mean(&format!("{law:?}"), &values, expected, variance);
    }
}

/// Values that stand there twice come twice as often.
#[test]
fn measured_values_come_as_often_as_they_were_measured() {
    let law = Distribution::Empirical([40, 7, 7, 1000].into());
    let mut stream = stream(25);
    let values: Vec<_> = (0..DRAWS).map(|_| law.sample_count(&mut stream)).collect();
    for (value, share) in [(40, 0.25), (7, 0.5), (1000, 0.25)] {
        let hits: Vec<_> = values.iter().map(|drawn| f64::from(*drawn == value)).collect();
        assert_mean(&format!("share of {value}"), &hits, share, share * (1.0 - share));
    }
    assert_eq!(Distribution::Empirical([].into()).sample_count(&mut stream), 0);
}

/// The largest distance between the two samples' distribution functions.
fn kolmogorov_smirnov(mut a: Vec<f64>, mut b: Vec<f64>) -> f64 {
    a.sort_unstable_by(f64::total_cmp);
    b.sort_unstable_by(f64::total_cmp);
    let (mut i, mut j, mut distance) = (0, 0, 0.0_f64);
    while i < a.len() && j < b.len() {
        let x = a[i].min(b[j]);
        while a.get(i).is_some_and(|value| *value <= x) {
            i += 1;
        }
        while b.get(j).is_some_and(|value| *value <= x) {
            j += 1;
        }
        distance = distance.max((i as f64 / a.len() as f64 - j as f64 / b.len() as f64).abs());
    }
    distance
}

/// What the distance between two samples of [`DRAWS`] exceeds with probability 1e-5 if they have
/// the same law: √(−ln(1e-5 / 2) / 2) · √(2 / n) = 0.0035.
fn largest_distance() -> f64 {
    (-(1e-5_f64 / 2.0).ln() / 2.0).sqrt() * (2.0 / DRAWS as f64).sqrt()
}

/// Two-sample Kolmogorov–Smirnov test with a false-alarm rate of 1e-5 a law.
#[test]
fn laws_agree_with_rand_distr() {
    let log_normal = LogNormal::new(0.0, SIGMA).unwrap();
    for (what, own, theirs) in [
        ("normal", draws(30, standard_normal), draws(31, |s| StandardNormal.sample(s))),
        ("exponential", draws(32, standard_exponential), draws(33, |s| Exp1.sample(s))),
        ("uniform", draws(34, Stream::next_open01), draws(35, |s| StandardUniform.sample(s))),
        ("log-normal", draws(36, lognormal), draws(37, |s| log_normal.sample(s))),
    ] {
        let (distance, bound) = (kolmogorov_smirnov(own, theirs), largest_distance());
        assert!(distance < bound, "{what}: {distance} ≥ {bound}");
    }
}

/// As above, for laws with a shape: gammas on both sides of shape 1, where the algorithm changes,
/// and far from it.
#[test]
fn laws_with_a_shape_agree_with_rand_distr() {
    let bound = largest_distance();
    for (number, shape) in (200..).step_by(2).zip([0.05, 0.5, 0.999, 1.0, 4.0, 250.0]) {
        let theirs = Gamma::new(shape, 1.0).unwrap();
        let own = draws(number, |stream| standard_gamma(shape, stream));
        let distance = kolmogorov_smirnov(own, draws(number + 1, |s| theirs.sample(s)));
        assert!(distance < bound, "gamma of shape {shape}: {distance} ≥ {bound}");
    }
    for (number, shape) in (220..).step_by(2).zip([0.2, 1.0, 2.0, 30.0]) {
        let theirs = Weibull::new(1.0, shape).unwrap();
        let own = draws(number, |stream| standard_weibull(shape, stream));
        let distance = kolmogorov_smirnov(own, draws(number + 1, |s| theirs.sample(s)));
        assert!(distance < bound, "Weibull of shape {shape}: {distance} ≥ {bound}");
    }
    for (number, shape) in (230..).step_by(2).zip([0.5, 1.5, 10.0]) {
        let theirs = Pareto::new(1.0, shape).unwrap();
        let own = draws(number, |stream| standard_pareto(shape, stream));
        let distance = kolmogorov_smirnov(own, draws(number + 1, |s| theirs.sample(s)));
        assert!(distance < bound, "Pareto of shape {shape}: {distance} ≥ {bound}");
    }
}

/// With coefficient of variation 1, gamma and Weibull are the exponential.
#[test]
fn gamma_and_weibull_include_the_exponential() {
    for (number, law) in
        (240..).step_by(2).zip([Distribution::gamma(1e9, 1.0), Distribution::weibull(1e9, 1.0)])
    {
        let own = draws(number, |stream| law.sample(stream).get() as f64 / 1e9);
        let distance = kolmogorov_smirnov(own, draws(number + 1, standard_exponential));
        assert!(distance < largest_distance(), "{law:?}: {distance}");
    }
}

/// The tests above have the power they need: the distance of a normal 2 % too wide is 0.0048.
#[test]
fn a_law_that_is_two_percent_too_wide_is_noticed() {
    let wide = draws(30, |stream| 1.02 * standard_normal(stream));
    let distance = kolmogorov_smirnov(wide, draws(31, |s| StandardNormal.sample(s)));
    assert!(distance > largest_distance(), "{distance}");
}

/// Chi-square against the probabilities, with a false-alarm rate of 1e-6 a mean; 10 is where
/// inversion gives way to rejection.
#[test]
fn poisson_counts_have_the_poisson_probabilities() {
    for (number, mean) in (40..).zip([0.1, 3.0, 9.99, 10.0, 50.0, 1000.0]) {
        let (law, mut stream) = (Poisson::new(mean), stream(number));
        let mut counts = Vec::new();
        for _ in 0..DRAWS {
            let count = law.sample(&mut stream) as usize;
            counts.resize(counts.len().max(count + 1), 0.0);
            counts[count] += 1.0;
        }
        let reference = statrs::distribution::Poisson::new(mean).unwrap();
        let expected = |count: usize| reference.pmf(count as u64) * DRAWS as f64;
        // Counts too rare for the approximation are lumped together.
        let (mut statistic, mut cells) = (0.0, 0);
        let (mut rare, mut rare_expected) = (0.0, DRAWS as f64);
        for (count, seen) in counts.iter().enumerate() {
            let expected = expected(count);
            if expected >= 20.0 {
                statistic += (seen - expected) * (seen - expected) / expected;
                cells += 1;
                rare_expected -= expected;
            } else {
                rare += seen;
            }
        }
        statistic += (rare - rare_expected) * (rare - rare_expected) / rare_expected;
        let p = ChiSquared::new(f64::from(cells)).unwrap().sf(statistic);
        assert!(p > 1e-6, "mean {mean}: χ² = {statistic:.1} with {cells} degrees, p = {p:.1e}");
    }
}

/// Mean λ, variance λ, fourth central moment λ + 3λ².
#[test]
fn poisson_moments_hold_for_any_mean() {
    for (number, lambda) in (50..).zip([0.1, 3.0, 9.99, 10.0, 50.0, 1000.0, 1e5]) {
        let law = Poisson::new(lambda);
        let values = draws(number, |stream| law.sample(stream) as f64);
        assert_mean(&format!("mean {lambda}"), &values, lambda, lambda);
        let squares: Vec<_> = values.iter().map(|x| (x - lambda) * (x - lambda)).collect();
        let variance = lambda + 2.0 * lambda * lambda;
        assert_mean(&format!("variance at mean {lambda}"), &squares, lambda, variance);
    }
    let mut stream = stream(60);
    assert_eq!(Poisson::new(0.0).sample(&mut stream), 0);
}

/// Beyond the last layer another algorithm draws; the thresholds are where it takes over. Of 10⁷
/// draws about 2,600 and 4,500 land there. Their excess over the threshold is checked, too.
#[test]
fn tails_are_as_heavy_as_they_should_be() {
    const NORMAL_TAIL: f64 = 3.654_152_885_361_009;
    const EXPONENTIAL_TAIL: f64 = 7.697_117_470_131_05;
    let draws = 10_000_000_u32;
    let share_of = |what: &str, tail: &[f64], share: f64| {
        let n = f64::from(draws);
        let sd = (share * (1.0 - share) * n).sqrt();
        let z = (tail.len() as f64 - share * n) / sd;
        assert!(z.abs() < 5.0, "{what}: {} draws in the tail, {z:.1} sd off", tail.len());
    };

    let mut stream = stream(70);
    let normal: Vec<_> = (0..draws)
        .map(|_| standard_normal(&mut stream))
        .filter(|z| z.abs() > NORMAL_TAIL)
        .collect();
    let both = libm::erfc(NORMAL_TAIL * FRAC_1_SQRT_2);
    share_of("normal", &normal, both);
    let above: Vec<_> = normal.iter().copied().filter(|z| *z > 0.0).collect();
    share_of("normal, upper", &above, both / 2.0);
    // E[|Z| − t] = h − t and Var = 1 + t·h − h² with h = φ(t) / Q(t), the hazard at t.
    let density = (-0.5 * NORMAL_TAIL * NORMAL_TAIL).exp() / (2.0 * PI).sqrt();
    let hazard = density / (both / 2.0);
    let excess: Vec<_> = normal.iter().map(|z| z.abs() - NORMAL_TAIL).collect();
    let variance = 1.0 + NORMAL_TAIL * hazard - hazard * hazard;
    assert_mean("normal excess", &excess, hazard - NORMAL_TAIL, variance);

    let exponential: Vec<_> = (0..draws)
        .map(|_| standard_exponential(&mut stream))
        .filter(|x| *x > EXPONENTIAL_TAIL)
        .collect();
    share_of("exponential", &exponential, (-EXPONENTIAL_TAIL).exp());
    let excess: Vec<_> = exponential.iter().map(|x| x - EXPONENTIAL_TAIL).collect();
    assert_mean("exponential excess", &excess, 1.0, 1.0);
}

/// The coordinates of a draw, apart from its number within the stream.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    seed: u64,
    replication: u64,
    client: u64,
    request: u64,
    attempt: u32,
    part: u8,
}

impl Place {
    fn stream(self) -> Stream {
        let key = CallKey::derive(self.seed, self.replication, self.client, self.request);
        StreamKey::of_attempt(key, self.attempt, Purpose::Network).part(self.part)
    }
}

/// A way to move to the i-th neighbour of a place.
type Move = fn(&mut Place, u64);

const MOVES: [(&str, Move); 6] = [
    ("seed", |place, i| place.seed += i),
    ("replication", |place, i| place.replication += i),
    ("client", |place, i| place.client += i),
    ("request", |place, i| place.request += i),
    ("attempt", |place, i| place.attempt += i as u32),
    ("part", |place, i| place.part += i as u8),
];

const ORIGIN: Place = Place { seed: 1, replication: 3, client: 5, request: 0, attempt: 1, part: 0 };

/// Pearson's correlation of uniform pairs, whose means and variances are known.
fn correlation(pairs: impl Iterator<Item = (f64, f64)>) -> (f64, f64) {
    let (mut sum, mut n) = (0.0, 0.0);
    for (a, b) in pairs {
        sum += (a - 0.5) * (b - 0.5);
        n += 1.0;
    }
    (sum / n * 12.0, n)
}

/// Uniform numbers from the high and from the low half of a word.
fn halves(word: u64) -> [f64; 2] {
    [(word >> 32) as u32, word as u32].map(|half| (f64::from(half) + 0.5) / 2_f64.powi(32))
}

/// Draw by draw, the stream of a place against that of the next seed, replication, client, …
#[test]
fn streams_of_neighbouring_keys_are_uncorrelated() {
    for (what, go) in MOVES {
        let mut next = ORIGIN;
        go(&mut next, 1);
        for half in 0..2 {
            let (mut a, mut b) = (ORIGIN.stream(), next.stream());
            let pairs =
                (0..100_000).map(|_| (halves(a.next_bits())[half], halves(b.next_bits())[half]));
            let (r, n) = correlation(pairs);
            assert!(r.abs() < 5.0 / n.sqrt(), "{what}, half {half}: r = {r}");
        }
    }
}

/// The first draws along one coordinate, as a herd of clients takes them: successive ones are
/// uncorrelated, and their mean is ½.
#[test]
fn first_draws_along_a_coordinate_look_like_one_stream() {
    for (what, go) in MOVES {
        let count = if what == "part" { 255 } else { 100_000 };
        let firsts: Vec<_> = (0..count)
            .map(|i| {
                let mut place = ORIGIN;
                go(&mut place, i);
                halves(place.stream().next_bits())
            })
            .collect();
        for half in 0..2 {
            let values: Vec<_> = firsts.iter().map(|halves| halves[half]).collect();
            assert_mean(what, &values, 0.5, 1.0 / 12.0);
            let (r, n) = correlation(values.iter().copied().zip(values[1..].iter().copied()));
            assert!(r.abs() < 5.0 / n.sqrt(), "{what}, half {half}: r = {r}");
        }
    }
}

/// One call key serves every purpose, without the purposes sharing bits.
#[test]
fn purposes_have_streams_of_their_own() {
    let key = CallKey::derive(1, 2, 3, 4);
    let of = |purpose| StreamKey::of_attempt(key, 1, purpose).part(0);
    let (mut a, mut b) = (of(Purpose::Network), of(Purpose::Reference));
    let pairs = (0..100_000).map(|_| (a.next_open01(), b.next_open01()));
    let (r, n) = correlation(pairs);
    assert!(r.abs() < 5.0 / n.sqrt(), "r = {r}");
}

/// Every output bit of `mix` is set half the time over small numbers, and flips half the time
/// when any one bit of key or value flips. 8,256 shares within 5.5 sd each: one choice of inputs
/// in 3,000 would fail a perfect mixer.
#[test]
fn mix_is_balanced_and_every_input_bit_reaches_every_output_bit() {
    const N: u64 = 10_000;
    let sd = (N as f64 / 4.0).sqrt();
    let assert_half = |what: &str, counts: &[u32; 64]| {
        for (bit, count) in counts.iter().enumerate() {
            let z = (f64::from(*count) - N as f64 / 2.0) / sd;
            assert!(z.abs() < 5.5, "{what}, output bit {bit}: {z:.1} sd");
        }
    };
    let add = |counts: &mut [u32; 64], word: u64| {
        for (bit, count) in counts.iter_mut().enumerate() {
            *count += (word >> bit) as u32 & 1;
        }
    };
    let mut counts = [0; 64];
    (0..N).for_each(|value| add(&mut counts, mix(0, value)));
    assert_half("balance", &counts);
    for input in 0..64 {
        let (mut of_key, mut of_value) = ([0; 64], [0; 64]);
        for value in 0..N {
            let word = mix(7, value);
            add(&mut of_key, word ^ mix(7 ^ (1 << input), value));
            add(&mut of_value, word ^ mix(7, value ^ (1 << input)));
        }
        assert_half(&format!("key bit {input}"), &of_key);
        assert_half(&format!("value bit {input}"), &of_value);
    }
}
