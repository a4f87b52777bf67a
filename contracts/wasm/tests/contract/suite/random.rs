//! Random cases from a seed that is printed. Set `FUZZ_SEED` to run a printed seed again.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Runs `cases` random cases; a failing one is shrunk before it is shown.
pub fn run<S: Strategy>(cases: u32, strategy: S, test: impl Fn(S::Value)) {
    let seed = fuzz_seed();
    println!("FUZZ_SEED={seed}");
    let config = Config {
        cases,
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
    let shared = prop_oneof![
        Just(0usize),
        Just(4),
        Just(17),
        Just(19),
        Just(20),
        Just(31)
    ];
    let tail = prop::collection::vec(prop_oneof![Just(0u8), Just(255), 0..4u8, any::<u8>()], 32);
    (base, shared, tail, any::<bool>()).prop_map(|(base, shared, mut tail, is_long)| {
        tail[..shared].fill(base);
        tail.truncate(if is_long { 32 } else { 20 });
        tail
    })
}

fn fuzz_seed() -> u64 {
    match std::env::var("FUZZ_SEED") {
        Ok(text) => text.parse().expect("FUZZ_SEED is a number"),
        Err(_) => {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            now.expect("a clock after 1970").as_nanos() as u64
        }
    }
}
