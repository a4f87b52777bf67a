import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bcs } from "@initia/initia.js";
import { expect, test } from "vitest";
import { readBalance, readVipOperator } from "@vipscore/l1";
import { testAccounts } from "@vipscore/localnet";
import { moveAccount } from "@vipscore/move";
import type { BcsValue } from "@vipscore/testkit/callL1";
import { passOn, script } from "@vipscore/testkit/scriptedServer";
import { codeOf, type CliResult, type TestFolder } from "./harness.ts";
import { u64, useRollup, type LocalL1 } from "./localL1.ts";
import { addresses, broadcastFile, sendFile } from "./proposalL1.ts";

const { deployer, operator } = testAccounts;
/** Of an account that L1 does not know. */
const poor = "test test test test test test test test test test test junk";
const bridgeId = 8n;
let l1: LocalL1;
let folder: TestFolder;
useRollup({ vm: "move" }, async (...started) => {
  [l1, folder] = started;
  // The operator's account is in the registration; governance gives its role to the deployer's.
  await l1.register(bridgeId, "0x1", 0n);
  const [id, version] = [bridgeId, 1n].map((value) => bcs.u64().serialize(value));
  const unchanged = bcs.option(bcs.bigdecimal()).serialize(undefined);
  const named = bcs.option(bcs.address()).serialize(deployer.address);
  if (id !== undefined && version !== undefined) {
    await l1.govern("update_operator_info", id, version, named, unchanged, unchanged);
  }
  await l1.call("advance_stage");
});

const run = (args: readonly string[], mnemonic: string, out: string): Promise<CliResult> =>
  folder.cli(["operator", ...args, "--bridge-id", `${bridgeId}`, "--out", out, "--sign", "--json"], {
    env: { MNEMONIC: mnemonic },
  });

interface Transaction {
  readonly auth_info: { readonly fee: { readonly gas_limit: string } };
}

test("the commission: L1 knows the operator that governance named, not the registered one", async () => {
  expect(codeOf(await run(["commission", "0.05"], operator.mnemonic, "wrong.json"))).toBe("PERMISSION_DENIED");
  expect((await run(["commission", "0.05"], deployer.mnemonic, "right.json")).status).toBe(0);
  expect(await broadcastFile(l1, folder.cwd, "right.json")).toBe("");
  const { restUrl: l1RestUrl, vipAddress } = l1.endpoint;
  const { commission } = await readVipOperator({ l1RestUrl, vipAddress, bridgeId, version: 1n });
  expect(commission.rate).toBe(5n * 10n ** 16n);
});

test("the role: L1 lets neither hand it over", async () => {
  for (const { mnemonic } of [operator, deployer]) {
    const refused = await run(["address", addresses.operator], mnemonic, "role.json");
    expect(codeOf(refused)).toBe("PERMISSION_DENIED");
  }
  const said = await folder.cli(["operator", "address", addresses.operator, "--bridge-id", "8", "--out", "o.json"]);
  expect(said.stderr).toContain("vip::update_operator_info");
  for (const address of [addresses.deployer, addresses.operator]) expect(said.stderr).toContain(address);
});

test("the fee follows L1's base price, which moves, with a margin", async () => {
  await l1.call("advance_stage");
  const write = (rate: string, out: string): Promise<CliResult> => run(["commission", rate], deployer.mnemonic, out);
  const send = (name: string): Promise<string> => broadcastFile(l1, folder.cwd, name);
  const movePrice = (millionths: bigint): Promise<void> => l1.call("set_base_gas_price", u64(millionths));
  expect((await write("0.06", "low.json")).status).toBe(0);
  await movePrice(150_000n);
  expect(await send("low.json")).toMatch(/\bprice\b.*\b0\.15/);
  await movePrice(20_000n);
  expect(await send("low.json")).toBe("");
  await l1.call("advance_stage");
  await movePrice(150_000n);
  const args = ["operator", "commission", "0.07", "--bridge-id", "8", "--out", "high.json", "--sign"];
  const said = await folder.cli(args, { env: { MNEMONIC: deployer.mnemonic } });
  expect(said.stderr).toMatch(/\b0\.225umin\b.*\b0\.15umin\b/);
  expect(await send("high.json")).toBe("");
});

test("the gas limit follows a simulation", async () => {
  await l1.call("advance_stage");
  expect((await run(["commission", "0.08"], deployer.mnemonic, "simulated.json")).status).toBe(0);
  const { auth_info } = JSON.parse(await readFile(join(folder.cwd, "simulated.json"), "utf8")) as Transaction;
  const limit = Number(auth_info.fee.gas_limit);
  const { raw_log, gas_used } = await sendFile(l1, folder.cwd, "simulated.json");
  expect(raw_log).toBe("");
  const used = Number(gas_used);
  expect(limit / used).toBeGreaterThan(1);
  expect(limit / used).toBeLessThan(2.8);
});

test("an account that cannot pay the fee: L1 would answer 0 and never show the transaction", async () => {
  const { restUrl: l1RestUrl } = l1.endpoint;
  const { account, address } = moveAccount({ mnemonic: poor });
  const [id, version] = [bridgeId, 1n].map(u64) as [BcsValue, BcsValue];
  const unchanged = bcs.option(bcs.bigdecimal()).serialize(undefined);
  const named = bcs.option(bcs.address()).serialize(account);
  await l1.govern("update_operator_info", id, version, named, unchanged, unchanged);
  await l1.call("advance_stage");
  const unsigned = (out: string): Promise<CliResult> =>
    folder.cli(["operator", "commission", "0.09", "--bridge-id", "8", "--out", out]);
  const unknown = await unsigned("unknown.json");
  expect(unknown).toMatchObject({ status: 0, stderr: expect.stringMatching(/^warning .*\b0umin\b/m) as unknown });
  expect(unknown.stderr).toContain(address);
  await l1.pay(address, 1000n);
  const refused = await run(["commission", "0.09"], poor, "poor.json");
  expect([refused.status, codeOf(refused)]).toEqual([3, "INSUFFICIENT_FUNDS"]);
  expect(refused.stderr).toMatch(/\b1000umin\b/);
  await expect(readFile(join(folder.cwd, "poor.json"))).rejects.toThrow("ENOENT");
  expect((await unsigned("draft.json")).stderr).toMatch(/^warning .*\b1000umin\b/m);
  await l1.pay(address, 10_000_000n);
  expect((await unsigned("funded.json")).stderr).not.toMatch(/^warning/m);
  expect((await run(["commission", "0.09"], poor, "rich.json")).status).toBe(0);
  expect(await broadcastFile(l1, folder.cwd, "rich.json")).toBe("");
  expect(await readBalance({ l1RestUrl, account, denom: "umin" })).toBeLessThan(10_001_000n);
});

test("a price of gas below L1's, or in a token that L1 takes no fees in", async () => {
  await l1.call("advance_stage");
  const write = (price: string, out: string, more: readonly string[] = []): Promise<CliResult> => {
    const args = ["operator", "commission", "0.1", "--bridge-id", "8", "--l1-gas-price", price, "--out", out, "--json"];
    return folder.cli([...args, ...more], { env: { MNEMONIC: poor } });
  };
  await l1.call("set_base_gas_price", u64(150_000n));
  for (const [price, named] of [
    ["0.149umin", "0.15umin"],
    ["0.2uatom", "umin"],
    ["0umin", "0.15umin"],
  ] as const) {
    const signed = await write(price, "signed.json", ["--sign"]);
    expect([signed.status, codeOf(signed)]).toEqual([2, "CONFIG_INVALID"]);
    const draft = await write(price, `draft-${price}.json`);
    expect(draft.status).toBe(0);
    for (const { stderr } of [signed, draft]) expect(stderr).toContain(named);
    expect(draft.stderr).toMatch(/^warning .*--l1-gas-price/m);
  }
  for (const price of ["0.15umin", "0.2umin"]) {
    const fine = await write(price, `${price}.json`, ["--sign"]);
    expect([fine.status, fine.stderr]).toEqual([0, expect.not.stringMatching(/^warning/m)]);
  }
  expect(await broadcastFile(l1, folder.cwd, "0.15umin.json")).toBe("");
});

test("a simulation whose POST meets one 502 is tried again", async () => {
  await l1.call("advance_stage");
  let failed = 0;
  const proxy = await script((request) => {
    if (!request.path.endsWith("/encode") || failed > 0) return passOn(l1.endpoint.restUrl, request);
    failed += 1;
    return { status: 502, body: "Bad Gateway" };
  });
  const args = ["operator", "commission", "0.04", "--bridge-id", "8", "--out", "retried.json", "--json"];
  const env = { L1_REST_URL: proxy.url, VIP_ADDRESS: l1.endpoint.vipAddress };
  expect((await folder.cli(args, { env })).status).toBe(0);
  expect(failed).toBe(1);
});
