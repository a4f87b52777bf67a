import { expect, test } from "vitest";
import { stage, type Account, type ContractControl, type ScoreContract } from "@vipscore/core";
import { allFeatures, noFeatures } from "@vipscore/core/engine";
import { checkContract } from "./contractChecks.ts";
import type { Finding } from "./findings.ts";

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

const [deployer, other] = ["12", "34"].map((byte) => `0x${byte.repeat(20)}` as Account) as [Account, Account];

/** What is found of a contract with another owner, who alone finalizes. */
async function findingsOf(control: Partial<ContractControl>, members = [other]): Promise<readonly Finding[]> {
  const whole = { owner: other, pendingOwner: undefined, finalizer: other, othersManage: false, codeAdmin: undefined };
  const contract = {
    identity: { vm: "move", chainId: "1", address: deployer },
    version: "1.0.0",
    features: allFeatures,
    getMembers: () => Promise.resolve(members),
    getControl: () => Promise.resolve({ ...whole, ...control }),
  } as Partial<ScoreContract> as ScoreContract;
  return checkContract(contract, { height: 1n, signal: new AbortController().signal }, stage(2n));
}

test("an offered ownership requires action, and one that was offered back to the owner does not", async () => {
  const actionsOf = async (pendingOwner: Account) =>
    (await findingsOf({ pendingOwner })).filter(({ state }) => state === "action");
  expect(await actionsOf(deployer)).toMatchObject([{ check: "control" }]);
  expect(await actionsOf(other)).toEqual([]);
});

test.each([
  ["a member", true],
  ["no member", false],
])("an account that can replace the code and is %s", async (_, isMember) => {
  const findings = await findingsOf({ codeAdmin: deployer }, isMember ? [other, deployer] : undefined);
  const [warned, ...others] = findings.filter(({ state }) => state === "warning");
  expect(others).toEqual([]);
  expect(warned).toMatchObject({ check: "control", text: expect.stringContaining(deployer.slice(-4)) as string });
  expect(warned?.text.includes("it is a member too")).toBe(isMember);
  expect(warned?.fix.at(-1)).toMatch(/\bvipscore deploy --init-stage 2 --upgrade-policy immutable$/);
});
