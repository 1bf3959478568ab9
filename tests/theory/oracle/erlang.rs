//! Erlang's formulas for `servers` that are offered a load of `a` (A. K. Erlang 1917; any book,
//! such as Kleinrock, Queueing Systems 1, sections 3.5 and 3.6).

/// Erlang B: the share of requests lost without a queue, whatever the law of service; by the
/// recursion 1/B(n) = 1 + n/(a B(n−1)).
pub fn erlang_b(a: f64, servers: u32) -> f64 {
    (1..=servers).fold(1.0, |b, n| a * b / (f64::from(n) + a * b))
}

/// Erlang C: the share that has to wait in a queue without bound.
pub fn erlang_c(a: f64, servers: u32) -> f64 {
    let b = erlang_b(a, servers);
    let c = f64::from(servers);
    b / (1.0 - a / c * (1.0 - b))
}

/// The mean number waiting in M/M/c.
pub fn queue_mean(a: f64, servers: u32) -> f64 {
    a * erlang_c(a, servers) / (f64::from(servers) - a)
}

#[test]
fn printed_values() {
    use super::assert_printed;
    for (a, servers, b) in [
        (1.0, 1, 0.5),
        (1.0, 2, 0.2),
        (2.0, 2, 0.4),
        (4.0, 5, 0.199_066_874_0),
        (10.0, 10, 0.214_582_343_1),
        (90.0, 100, 0.026_957_380_5),
    ] {
        assert_printed(&format!("B({a}, {servers})"), erlang_b(a, servers), b);
    }
    for (a, servers, c) in [
        (1.0, 2, 1.0 / 3.0),
        (4.0, 5, 0.554_112_554_1),
        (9.0, 10, 0.668_731_524_1),
        (90.0, 100, 0.216_940_480_9),
    ] {
        assert_printed(&format!("C({a}, {servers})"), erlang_c(a, servers), c);
    }
    assert_printed("Lq(4, 5)", queue_mean(4.0, 5), 2.216_450_216_5);
    assert_printed("Lq(9, 10)", queue_mean(9.0, 10), 6.018_583_717_0);
}
