// Package fuzztest gives random tests their seed and their size.
package fuzztest

import (
	"os"
	"strconv"
	"testing"
)

// defaultSeed is the same as in tools/testkit/src/fuzzSeed.ts; a test of tools/checks compares them.
const defaultSeed = 1

// Seed returns and prints the seed of a random test: FUZZ_SEED from the environment, else the same in each run.
func Seed(t testing.TB) int64 {
	t.Helper()
	seed := fromEnvironment(t, "FUZZ_SEED", defaultSeed)
	t.Logf("FUZZ_SEED=%d", seed)
	return seed
}

// Runs returns the number of random cases of a test: usual times FUZZ_FACTOR from the environment, an integer from 1.
func Runs(t testing.TB, usual int) int {
	t.Helper()
	factor := fromEnvironment(t, "FUZZ_FACTOR", 1)
	if factor < 1 {
		t.Fatalf("FUZZ_FACTOR=%d is not an integer from 1", factor)
	}
	return usual * int(factor)
}

func fromEnvironment(t testing.TB, name string, otherwise int64) int64 {
	t.Helper()
	text, given := os.LookupEnv(name)
	if !given {
		return otherwise
	}
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return value
}
