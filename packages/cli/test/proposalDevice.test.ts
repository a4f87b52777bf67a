import { expect, test } from "vitest";
import { formatBech32, parseAccount } from "@vipscore/core";
import { readVipBridges, readVipOperator } from "@vipscore/l1";
import { testAccounts } from "@vipscore/localnet";
import { moveAccount } from "@vipscore/move";
import { SoftwareDevice, type SoftwareDeviceOptions } from "@vipscore/testkit/softwareDevice";
import type { CliOptions, TestFolder } from "./harness.ts";
import { useRollup, type LocalL1 } from "./localL1.ts";
import { broadcastFile, outcomeOf } from "./proposalL1.ts";

const { mnemonic } = testAccounts.operator;
const bridge = { id: 5n, address: formatBech32(parseAccount(`0x${"b7".repeat(32)}`, { accountBytes: [32] })) };
/** The account of the Cosmos app. */
const operator = moveAccount({ mnemonic, coinType: 118 }).address;

let l1: LocalL1;
let folder: TestFolder;
useRollup({ vm: "move", bridge }, async (...started) => {
  [l1, folder] = started;
  const settings = {
    title: "Register <the rollup> & pay\u2028",
    summary: "Users of the rollup earn.",
    metadata: "https://forum.example.org/t/1",
    deposit: "10000000umin",
    bridgeId: `${bridge.id}`,
    bridgeAddress: bridge.address,
    operator,
    contract: await folder.deploy(2),
    commission: { maxRate: "0.5", maxChangeRate: "0.1", rate: "0.05" },
    policy: "https://example.org/policy",
  };
  await folder.write("proposal.json", JSON.stringify(settings));
});

function plugIn(app: SoftwareDeviceOptions["app"], more: Partial<SoftwareDeviceOptions> = {}) {
  const device = new SoftwareDevice({ app, key: { mnemonic }, ...more });
  const options: CliOptions = { openDevice: () => device.open() };
  return { device, options };
}

const register = ["proposal", "register", "--settings", "proposal.json", "--sign", "--ledger"];

test("a refusal on the device writes nothing", async () => {
  const { device, options } = plugIn("ethereum", { refuse: ({ ins }) => (ins === 0x08 ? 0x6985 : undefined) });
  const refused = await folder.cli([...register, "--out", "register.json", "--forum", "forum.md"], options);
  expect(refused.status).toBe(3);
  expect(refused.stderr).toContain("DEVICE_REFUSED");
  // The person has read what the transaction means before the device asks.
  expect(refused.stdout).toContain("vip::register");
  expect(device.signed).toHaveLength(0);
  await expect(
    folder.ok([...register, "--out", "register.json", "--forum", "forum.md"], plugIn("ethereum").options),
  ).resolves.toMatchObject({ isSigned: true });
});

test("the Ethereum app proposes a registration, the Cosmos app changes the commission", async () => {
  expect(await broadcastFile(l1, folder.cwd, "register.json")).toBe("");
  expect(await outcomeOf(l1, 1)).toMatchObject({ status: "PROPOSAL_STATUS_PASSED" });
  const vip = { l1RestUrl: l1.endpoint.restUrl, vipAddress: l1.endpoint.vipAddress };
  expect((await readVipBridges(vip)).bridges).toMatchObject([{ bridgeId: bridge.id }]);

  await l1.call("advance_stage");
  const change = ["operator", "commission", "0.1", "--bridge-id", `${bridge.id}`, "--out", "commission.json"];
  const wrong = await folder.cli([...change, "--sign", "--ledger", "--json"], plugIn("ethereum").options);
  expect(wrong.json()["error"]).toMatchObject({ code: "PERMISSION_DENIED" });
  const { options } = plugIn("cosmos");
  const signed = await folder.cli([...change, "--sign", "--ledger", "cosmos"], options);
  // The account as the device shows it, and as the chain spells it.
  expect(signed.stderr).toMatch(new RegExp(`\\bcosmos1\\w{38}\\b.*\\b${operator}\\b`));
  expect(await broadcastFile(l1, folder.cwd, "commission.json")).toBe("");
  const { commission } = await readVipOperator({ ...vip, bridgeId: bridge.id, version: 1n });
  expect(commission.rate).toBe(10n ** 17n);
});
