//! Random cases from the seed in `FUZZ_SEED`, which is printed. Default: the same cases in every run.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// The same as in tools/testkit/src/fuzzSeed.ts; a test of tools/checks compares them.
const DEFAULT_SEED: u64 = 1;

/// Runs this many random cases, `FUZZ_FACTOR` times as many if it is set; a failing one is shrunk before it is shown.
pub fn run<S: Strategy>(cases: u32, strategy: S, test: impl Fn(S::Value)) {
    let seed = setting("FUZZ_SEED", DEFAULT_SEED);
    println!("FUZZ_SEED={seed}");
    let config = Config {
        cases: cases * setting("FUZZ_FACTOR", 1) as u32,
        failure_persistence: None,
        ..Config::default()
    };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    TestRunner::new_with_rng(config, rng)
        .run(&strategy, |case| {
            test(case);
            Ok(())
        })
        .unwrap_or_else(|error| panic!("FUZZ_SEED={seed}: {error}"));
}

/// Addresses of 20 and 32 bytes that share long prefixes, even beyond 20 bytes.
pub fn clustered_address() -> impl Strategy<Value = Vec<u8>> {
    let base = (0..3u8).prop_map(|n| [0, 0x5a, 255][n as usize]);
    let shared = prop_oneof![Just(0usize), Just(4), Just(17), Just(19), Just(20), Just(31)];
    let tail = prop::collection::vec(prop_oneof![Just(0u8), Just(255), 0..4u8, any::<u8>()], 32);
    (base, shared, tail, any::<bool>()).prop_map(|(base, shared, mut tail, is_long)| {
        tail[..shared].fill(base);
        tail.truncate(if is_long { 32 } else { 20 });
        tail
    })
}

/// A number in the environment.
fn setting(name: &str, otherwise: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name} is not a number: {text}")),
        Err(_) => otherwise,
    }
}
