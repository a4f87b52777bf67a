import { expect, test } from "vitest";
import type { ScoreContract } from "@vipscore/core";
import { noFeatures } from "@vipscore/core/engine";
import { checkContract } from "./contractChecks.ts";

test.each([
  ["evm", "vipscore deploy --from <address>"],
  ["move", "vipscore deploy --upgrade"],
  ["wasm", "vipscore deploy --upgrade"],
] as const)("a reference contract on %s is replaced by %s", async (vm, command) => {
  const identity = { vm, chainId: "1", address: "0x8cad25ec80a10522c258e2f59abf0006c9445d1b" };
  // Nothing else of a reference contract is read.
  const contract = { identity, version: undefined, features: noFeatures } as ScoreContract;
  const findings = await checkContract(contract, { height: 1n, signal: new AbortController().signal });
  expect(findings).toMatchObject([{ state: "warning", fix: [expect.stringContaining(command)] }]);
});
