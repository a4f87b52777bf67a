import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bcs } from "@initia/initia.js";
import { expect, test } from "vitest";
import { readVipOperator } from "@vipscore/l1";
import { testAccounts } from "@vipscore/localnet";
import { codeOf, type CliResult, type TestFolder } from "./harness.ts";
import { u64, useRollup, type LocalL1 } from "./localL1.ts";
import { addresses, broadcastFile, sendFile } from "./proposalL1.ts";

const { deployer, operator } = testAccounts;
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
