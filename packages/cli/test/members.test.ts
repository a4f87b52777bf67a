import { beforeAll, expect, test } from "vitest";
import { testAccounts } from "@vipscore/localnet";
import { started } from "@vipscore/testkit/started";
import { startTestChain } from "./harness.ts";

const chain = started(() => startTestChain());
const { deployer, operator } = testAccounts;

beforeAll(() => chain.deploy());

test("list, add, add again, remove, the last one stays", async () => {
  expect((await chain.cli(["members", "list"])).stdout).toBe(`${deployer.address}\n`);
  expect(await chain.ok(["members", "add", operator.address])).toMatchObject({
    command: "members add",
    account: operator.address.toLowerCase(),
    transaction: { hash: expect.stringMatching(/^0x/) as string },
  });
  expect(await chain.ok(["members", "list"])).toMatchObject({
    members: [deployer.address.toLowerCase(), operator.address.toLowerCase()],
  });
  const sent = await chain.transactionsSent();
  const again = await chain.ok(["members", "add", operator.address]);
  expect(again).toMatchObject({ account: operator.address.toLowerCase(), transaction: null });
  expect(await chain.transactionsSent()).toBe(sent);
  expect(await chain.ok(["members", "remove", operator.address])).toMatchObject({
    command: "members remove",
    account: operator.address.toLowerCase(),
    transaction: { hash: expect.stringMatching(/^0x/) as string },
  });
  expect(await chain.ok(["members", "list"])).toMatchObject({ members: [deployer.address.toLowerCase()] });
  const last = await chain.cli(["members", "remove", deployer.address, "--json"]);
  expect(last.json()["error"]).toMatchObject({ code: "LAST_MEMBER", exit: 3 });
  // Before it pays.
  expect(await chain.transactionsSent()).toBe(sent + 1);
});

test("status shows contract, stages, members and signer", async () => {
  const object = await chain.ok(["status"]);
  expect(object).toMatchObject({
    command: "status",
    contract: { vm: "evm", chainId: "31337" },
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
    initStage: "1",
    stages: [{ stage: "1", isFinalized: false, total: "0", accounts: 0 }],
    members: [deployer.address.toLowerCase()],
    control: {
      owner: deployer.address.toLowerCase(),
      pendingOwner: null,
      finalizer: null,
      othersManage: true,
      codeAdmin: null,
    },
    signer: { account: deployer.address.toLowerCase(), isMember: true, mayFinalize: true },
  });
  expect(await chain.ok(["status", "--stage", "9"])).toMatchObject({ stages: [] });
  const text = (await chain.cli(["status", "--stage", "9"])).stdout;
  expect(text).toMatch(/^stage 9 /m);
  expect(text).toMatch(new RegExp(`^signer +${deployer.address}\\b.* [\\d,.]+ GAS$`, "m"));
});

test("deploy with another member and an ownership offer", async () => {
  const object = await chain.ok([
    "deploy",
    "--init-stage",
    "5",
    "--member",
    operator.address,
    "--owner",
    operator.address,
  ]);
  expect(object).toMatchObject({
    command: "deploy",
    contract: { vm: "evm", chainId: "31337" },
    initStage: "5",
    members: [deployer.address.toLowerCase(), operator.address.toLowerCase()],
    owner: deployer.address.toLowerCase(),
    pendingOwner: operator.address.toLowerCase(),
  });
});
