#![cfg(feature = "toml")]
use retrial_policy::*;
#[test]
fn show() {
    let good = "[backoff]\nkind = 'none'\n[limits]\ndeadline = '90s'\n";
    for (b, a) in [("", ""), ("x = 1\n", ""), ("", "[replay]\nsafe = 1\n")] {
        println!("{:?}", Policy::from_toml(&format!("{b}{good}{a}")));
    }
    for t in [
        "[backoff]\nkind = \"exponential\"\nbase = \"-200ms\"\n[limits]\ndeadline = \"90s\"\n",
        "[backoff]\nkind = \"exponential\"\nbase = 200\n[limits]\ndeadline = \"90s\"\n",
        "[backoff]\nkind = \"exponential\"\nbase = \"200\"\n[limits]\ndeadline = \"90s\"\n",
        "[backoff]\nkind = \"expo\"\n[limits]\ndeadline = \"90s\"\n",
        "[backoff]\nkind = \"exponential\"\n[limits]\ndeadline = \"90s\"\n",
        "[backoff]\nkind = \"none\"\n[limits]\nmax_attempts = 5\n",
        "[backoff]\nkind = \"none\"\n",
        "[limits]\ndeadline = \"90s\"\n",
        "[backoff]\nkind = \"none\"\n[limits]\ndeadline = \"90s\"\nmax_attempts = 0\n",
        "[backoff]\nkind = \"none\"\n[limits]\ndeadline = \"90s\"\nmax_attempts = -1\n",
        "[backoff]\nkind = \"none\"\n[limits]\ndeadline = \"90s\"\nmax_attempts = \"5\"\n",
        "[backoff]\nkind = \"none\"\n[limits]\ndeadline = \"90s\"\nmax_attempts = 2.5\n",
        "[backoff]\nkind = \"exponential\"\nbase = \"1s\"\nfactor = nan\n[limits]\ndeadline = \"90s\"\n",
        "[backoff]\nkind = \"exponential\"\nbase = \"1s\"\nfactor = \"2\"\n[limits]\ndeadline = \"90s\"\n",
        "[backoff]\nkind = \"exponential\"\nbase = \"1s\"\nfactor = 0.5\n[limits]\ndeadline = \"90s\"\n",
        "[backoff]\nkind = \"exponential\"\nbase = \"1s\"\ncap = \"20ms\"\n[limits]\ndeadline = \"90s\"\n",
        "[backoff]\nkind = \"none\"\n[limits]\ndeadline = \"0s\"\n",
        "[backoff]\nkind = \"none\"\n[limits]\ndeadline = \"90s\"\n[fallback]\nafter_attempts = 2\n",
        "[backoff]\nkind = \"none\"\n[limits]\ndeadline = \"90s\"\n[fallback]\nroutes = [\"a\", \"a\"]\n",
        "[backoff]\nkind = \"none\"\n[limits]\ndeadline = \"90s\"\n[[budget]]\nkind = \"token_bucket\"\ncapacity = 1\n",
        "[backoff]\nkind = \"none\"\n[limits]\ndeadline = \"90s\"\n[[budget]]\nkind = \"token_bucket\"\ncapacity = 1\nretry_cost=2\nsuccess_refund=0\n",
        "[backoff]\nkind = \"none\"\n[limits]\ndeadline = \"90s\"\n[[budget]]\nkind = \"aimd\"\nmax = 1\n",
        "[backoff]\nkind = \"none\"\n[limits]\ndeadline = \"90s\"\n[inner]\npreset = \"x\"\n",
        "[backoff]\nkind = \"none\"\n[limits]\ndeadline = \"90s\"\n[retry_on]\nmode = \"x\"\n",
        "[backoff\n",
        "",
        "[backoff]\nkind = \"none\"\n[limits]\ndeadline = \"18446744073709551615s 1000000000ns\"\n",
        "[backoff]\nkind = \"none\"\n[limits]\ndeadline = \"600y\"\n",
        "[backoff]\nkind = \"none\"\n[limits]\ndeadline = \"90s\"\n[retry_after]\nmode='clamp'\n",
        "[backoff]\nkind = \"schedule\"\nschedule = []\n[limits]\ndeadline = \"90s\"\n",
        "[backoff]\nkind = \"schedule\"\nschedule = ['1s', 'x']\n[limits]\ndeadline = \"90s\"\n",
    ] {
        println!(
            "{t:?}\n  -> {}",
            Policy::from_toml(t).map(|_| "OK".to_string()).unwrap_or_else(|e| e.to_string())
        );
    }
}
