import { expect, test } from "vitest";
import { stage, type Account, type ScoreContract } from "@vipscore/core";
import { allFeatures, noFeatures } from "@vipscore/core/engine";
import { checkContract } from "./contractChecks.ts";

test.each([
  ["evm", "vipscore deploy --from <address>"],
  ["move", "vipscore deploy --upgrade"],
  ["wasm", "vipscore deploy --upgrade"],
] as const)("a reference contract on %s is replaced by %s", async (vm, command) => {
  const identity = { vm, chainId: "1", address: "0x8cad25ec80a10522c258e2f59abf0006c9445d1b" };
  // Nothing else of a reference contract is read.
  const contract = { identity, version: undefined, features: noFeatures } as ScoreContract;
  const findings = await checkContract(contract, { height: 1n, signal: new AbortController().signal }, stage(2n));
  expect(findings).toMatchObject([{ state: "warning", fix: [expect.stringContaining(command)] }]);
});

test.each([
  ["a member", true],
  ["no member", false],
])("an account that can replace the code and is %s", async (_, isMember) => {
  const [deployer, other] = ["12", "34"].map((byte) => `0x${byte.repeat(20)}` as Account) as [Account, Account];
  const contract = {
    identity: { vm: "move", chainId: "1", address: deployer },
    version: "1.0.0",
    features: allFeatures,
    getMembers: () => Promise.resolve([other, ...(isMember ? [deployer] : [])]),
    getControl: () =>
      Promise.resolve({
        owner: other,
        pendingOwner: undefined,
        finalizer: other,
        othersManage: false,
        codeAdmin: deployer,
      }),
  } as Partial<ScoreContract> as ScoreContract;
  const findings = await checkContract(contract, { height: 1n, signal: new AbortController().signal }, stage(2n));
  const [warned, ...others] = findings.filter(({ state }) => state === "warning");
  expect(others).toEqual([]);
  expect(warned).toMatchObject({ check: "control", text: expect.stringContaining(deployer.slice(-4)) as string });
  expect(warned?.text.includes("it is a member too")).toBe(isMember);
  expect(warned?.fix.at(-1)).toMatch(/\bvipscore deploy --init-stage 2 --upgrade-policy immutable$/);
});
