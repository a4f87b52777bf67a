import { expect, test } from "vitest";
import { explainFailure } from "../src/explainFailure.mjs";

test.each([
  [
    "vitest: the test, the reason, the place",
    ` RUN  v5.1.0
 ✓ src/stage.test.ts (3 tests) 2ms

 FAIL  test/push.test.ts > a push > writes every row once
AssertionError: expected 249 to be 250
 ❯ test/push.test.ts:31:30
     29|     await collect(push(contract, plan));
 FAIL  test/push.test.ts > another
 Test Files  1 failed | 16 passed (17)
npm error Lifecycle script \`test\` failed with error:`,
    [
      "FAIL  test/push.test.ts > a push > writes every row once",
      "AssertionError: expected 249 to be 250",
      "❯ test/push.test.ts:31:30",
    ],
  ],
  [
    "go test: the test and the lines below it",
    `ok  	example/chain	22.2s
--- FAIL: TestPlaysL1 (0.31s)
    program_test.go:24: ready line "ready rest=…"
    program_test.go:27: status 1, stderr
FAIL
FAIL	example/cmd/vipnode-move	25.1s`,
    [
      "--- FAIL: TestPlaysL1 (0.31s)",
      'program_test.go:24: ready line "ready rest=…"',
      "program_test.go:27: status 1, stderr",
    ],
  ],
  [
    "cargo test: what panicked and the line that says why",
    `running 1 test
test batch ... FAILED

thread 'batch' panicked at tests/scores.rs:12:5:
assertion failed: total == 3`,
    ["test batch ... FAILED", "thread 'batch' panicked at tests/scores.rs:12:5:", "assertion failed: total == 3"],
  ],
  [
    "tsc: the first errors",
    `src/a.ts(1,2): error TS2322: no
src/b.ts(3,4): error TS2345: nor this`,
    ["src/a.ts(1,2): error TS2322: no", "src/b.ts(3,4): error TS2345: nor this"],
  ],
  [
    "oxlint: the rule and the place",
    `  x oxc(no-map-spread): Spreading to modify object properties in \`map\` calls is inefficient
    ,-[src/doctor.mjs:27:8]
 26 |       .filter(enough)

Found 0 warnings and 1 error.`,
    [
      "x oxc(no-map-spread): Spreading to modify object properties in `map` calls is inefficient",
      ",-[src/doctor.mjs:27:8]",
      "26 |       .filter(enough)",
    ],
  ],
  ["an unknown tool: its last lines", "one\ntwo\n\nthree\nfour\nnpm error code 1\n", ["two", "three", "four"]],
  ["nothing", "", []],
])("%s", (_, output, explanation) => {
  expect(explainFailure(output)).toEqual(explanation);
});
