#!/usr/bin/env bash
# Plants faults in the contract, one at a time, and reports those that neither its tests, random search included, nor the
# conformance scenarios find in mutants.out/survived.txt. Takes hours. Passes its arguments to cargo-mutants, for instance
# --shard 0/8 or --file src/scores.rs. Changes src while it runs.
set -euo pipefail
cd "$(dirname "$0")/.."
version=27.1.0
root="${CARGO_TARGET_DIR:-target}/cargo-mutants-$version"
if [ ! -x "$root/bin/cargo-mutants" ]; then
  cargo install cargo-mutants --version "=$version" --locked --root "$root"
fi
export CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0
# One seed for all faults: a fault is found or missed for the same cases.
export FUZZ_SEED="${FUZZ_SEED:-1}"
# Status 2: it missed some.
"$root/bin/cargo-mutants" mutants --package vip-score --test-package vip-score,vip-score-search --in-place "$@" || [ $? -eq 2 ]
npm --prefix ../.. run --silent -w @vipscore/wasm missed-mutants
