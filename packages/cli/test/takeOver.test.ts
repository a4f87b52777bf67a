import { beforeAll, expect, test } from "vitest";
import { testAccounts } from "@vipscore/localnet";
import { contractVersion } from "@vipscore/testkit/contractVersion";
import { started } from "@vipscore/testkit/started";
import { deployReference } from "./deployReference.ts";
import { addressOf, csvOf, startTestChain } from "./harness.ts";

const deployer = testAccounts.deployer.address.toLowerCase();
const operator = testAccounts.operator.address.toLowerCase();
const thief = addressOf(0x7000);

const chain = started(() => startTestChain());
beforeAll(async () => {
  await chain.write("one.csv", csvOf(40));
  await chain.write("two.csv", csvOf(60, 5));
});

test.each([
  ["a reference contract", () => deployReference(chain.node.rpcUrl), null],
  ["a contract of this project", () => chain.deploy(1), contractVersion],
])("deploy --from takes over the open stage of %s, and warns of what stays", async (_title, deployOld, version) => {
  const old = await deployOld();
  const on = ["--contract", old];
  await chain.ok(["members", "add", thief, ...on]);
  await chain.ok(["push", "one.csv", "--stage", "1", ...on]);
  await chain.ok(["finalize", "--stage", "1", "--file", "one.csv", "--yes", ...on]);
  await chain.ok(["push", "two.csv", "--stage", "2", ...on]);

  const take = ["deploy", "--from", old, "--finalizer", operator];
  expect((await chain.cli([...take, "--dry-run"])).stdout).toMatch(new RegExp(`\\b60 scores of ${old}$`, "m"));
  const taken = await chain.cli([...take, "--json"]);
  expect(taken.json()).toMatchObject({
    version: contractVersion,
    initStage: "2",
    members: [deployer],
    finalizer: operator,
    from: { contract: { address: old }, isOutdated: false, verification: { agrees: true, accounts: 60 } },
  });
  // Finalized stages stay there, and L1 still reads it.
  expect(taken.stderr).toMatch(new RegExp(`^warning .*\\b${old}\\b.*\\bstage 2\\b`, "m"));
  expect(taken.stderr).toMatch(/^warning .*\bL1\b.*\bupdate_l2_score_contract\b/m);
  expect(await chain.ok(["verify", "two.csv", "--stage", "2"])).toMatchObject({ verification: { agrees: true } });
  expect(await chain.ok(["status", ...on])).toMatchObject({ version, stages: [{}, { isFinalized: false }] });
});

test("deploy --from adds the members that are named, and needs a finalizer", async () => {
  const old = await chain.deploy(3);
  const refused = await chain.cli(["deploy", "--from", old, "--member", operator, "--json"]);
  expect(refused.json()["error"]).toMatchObject({ code: "INPUT_INVALID", exit: 2 });
  const named = ["--finalizer", deployer, "--member", operator];
  expect(await chain.ok(["deploy", "--from", old, ...named])).toMatchObject({ members: [deployer, operator] });
});

test("deploy --from refuses another first stage, and an address that is not a scoring contract", async () => {
  const old = await chain.deploy(7);
  const other = await chain.cli(["deploy", "--from", old, "--init-stage", "8", "--finalizer", operator, "--json"]);
  expect(other.json()["error"]).toMatchObject({ code: "INPUT_INVALID", exit: 2 });
  const nothing = await chain.cli(["deploy", "--from", operator, "--finalizer", operator, "--json"]);
  expect(nothing.json()["error"]).toMatchObject({ code: "CONTRACT_NOT_FOUND", exit: 3 });
});
