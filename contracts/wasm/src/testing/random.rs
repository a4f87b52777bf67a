//! Random cases from the seed in `FUZZ_SEED`, which is printed. Default: the same cases in every run.

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

/// The same as in tools/testkit/src/fuzzSeed.ts; a test of tools/checks compares them.
const DEFAULT_SEED: u64 = 1;

/// Runs this many random cases, `FUZZ_FACTOR` times as many if it is set; a failing one is shrunk before it is shown.
///
/// # Panics
///
/// If `test` fails or panics, with the case and the seed; if `FUZZ_SEED` or `FUZZ_FACTOR` is not a number.
pub fn run<S: Strategy>(cases: u32, strategy: S, test: impl Fn(S::Value) -> Result<(), String>) {
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
        .run(&strategy, |case| test(case).map_err(TestCaseError::fail))
        .unwrap_or_else(|error| panic!("FUZZ_SEED={seed}: {error}"));
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
