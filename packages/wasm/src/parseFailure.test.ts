import { expect, test } from "vitest";
import type { ErrorCode } from "@vipscore/core";
import { contractErrors, parseFailure } from "./parseFailure.ts";

const head = "failed to execute message; message index: 0: ";
const tail = ": execute wasm contract failed";

test.each<[string, ErrorCode]>([
  ["StageFinalized: Stage finalized: 7", "STAGE_FINALIZED"],
  ["PermissionDenied: Address is not allowed: init1", "PERMISSION_DENIED"],
  ["FinalizeMismatch: stage 1: expected total 5 and count 1, the stage has 6 and 2", "FINALIZE_MISMATCH"],
  // The variant decides, not text that a caller put in an address.
  ["InvalidAddress: Stage finalized: no bech32", "INVALID_ADDRESS"],
  ["InsufficientScore: Insufficient score: User score not found: init1 has none in stage 1", "INSUFFICIENT_SCORE"],
])("our contract: %s", (text, code) => {
  const log = head + text + tail;
  expect(parseFailure({ codespace: "wasm", code: 5, log })).toEqual({ code, details: `wasm code 5: ${log}` });
});

test("every variant with a code is recognized by its name", () => {
  for (const { variant, code } of contractErrors) {
    expect(parseFailure({ codespace: "wasm", code: 5, log: `${head}${variant}: anything${tail}` }).code).toBe(code);
  }
});

// recorded on miniwasm with the reference contract
test.each<[string, ErrorCode]>([
  ["Generic error: Stage not found", "STAGE_NOT_FOUND"],
  ["Generic error: Address is not allowed", "PERMISSION_DENIED"],
  [
    'Error calling the VM: Error executing Wasm: Wasmer runtime error: RuntimeError: Aborted: panicked at src/execute.rs:210:84:\ncalled `Result::unwrap()` on an `Err` value: GenericErr { msg: "Stage finalized" }',
    "STAGE_FINALIZED",
  ],
])("the reference contract: %s", (text, code) => {
  expect(parseFailure({ codespace: "wasm", code: 5, log: head + text + tail }).code).toBe(code);
});

test.each<[string, string, number]>([
  ["another error of ours", "FundsSent: The contract takes no coins", 5],
  ["an unknown text", "Generic error: something else", 5],
  [
    "a message that the contract cannot parse",
    "Error parsing into type vip_score::msg::ExecuteMsg: Stage finalized",
    5,
  ],
])("%s has no code", (_, text, code) => {
  const log = head + text + tail;
  expect(parseFailure({ codespace: "wasm", code, log })).toEqual({ details: `wasm code ${code}: ${log}` });
});

test("a failure of the chain itself is not an error of the contract", () => {
  const log = "out of gas in location: StageFinalized: x; gasWanted: 1, gasUsed: 2: out of gas";
  expect(parseFailure({ codespace: "sdk", code: 11, log })).toEqual({ details: `sdk code 11: ${log}` });
  const forged = "signature verification failed: unauthorized";
  expect(parseFailure({ codespace: "sdk", code: 4, log: forged }).code).toBeUndefined();
});

test("the chain's refusal to let an account store or migrate", () => {
  const log = `${head}can not migrate: unauthorized`;
  expect(parseFailure({ codespace: "sdk", code: 4, log }).code).toBe("PERMISSION_DENIED");
});
