import { bcs, Fee, MnemonicKey, MsgSend, RESTClient, Wallet } from "@initia/initia.js";
import { expect, test } from "vitest";
import { parseAccount } from "@vipscore/core";
import { readBalance } from "@vipscore/l1";
import { bridgeAddress as bridgeAddressOf, startVipnode, testAccounts } from "@vipscore/localnet";
import { started } from "@vipscore/testkit/started";
import { codeOf, openTestFolder, type CliResult, type TestFolder } from "./harness.ts";
import { startL1 } from "./localL1.ts";
import { bridgeAddress, contractFields, settingsOf } from "./proposalSettings.ts";

const l1 = started(() => startL1());

interface Rollup extends TestFolder {
  readonly register: () => Promise<CliResult>;
  readonly replace: () => Promise<CliResult>;
}

/** Starts a rollup that names a bridge, and deploys a contract. */
async function startRollup(bridgeId: bigint, l1ChainId?: string): Promise<Rollup> {
  const bridge = { id: bridgeId, address: bridgeAddress, ...(l1ChainId === undefined ? {} : { l1ChainId }) };
  const folder = await openTestFolder(await startVipnode({ vm: "move", bridge }), l1.endpoint);
  const contract = await folder.deploy(2);
  await folder.write("proposal.json", settingsOf(contract, bridgeId));
  await folder.write("contract.json", settingsOf(contract, bridgeId, contractFields));
  const propose = (kind: string, settings: string): Promise<CliResult> =>
    folder.cli(["proposal", kind, "--settings", settings, "--out", `${kind}.tx.json`, "--json"]);
  return {
    ...folder,
    register: () => propose("register", "proposal.json"),
    replace: () => propose("contract", "contract.json"),
  };
}

test("another L1 than the rollup's is refused, although the bridge's number and address are the same", async () => {
  await l1.register(31n, "0x1", 0n);
  await using rollup = await startRollup(31n, "initiation-2");
  for (const result of [await rollup.register(), await rollup.replace()]) {
    expect(codeOf(result)).toBe("CHAIN_MISMATCH");
    for (const chain of [l1.chainId, "initiation-2"]) expect(result.stderr).toContain(chain);
  }
});

test("a bridge that L1 does not have is refused", async () => {
  await using rollup = await startRollup(1001n);
  const refused = await rollup.register();
  expect(codeOf(refused)).toBe("BRIDGE_NOT_FOUND");
  expect(refused.stderr).toContain("1001");
});

test("a bridge below VIP's minimum is refused before the vote, and accepted with the minimum", async () => {
  const minimum = 2_000_000n;
  await l1.call("set_parameters", ...[1_209_600n, 26n, 86_400n, minimum].map((value) => bcs.u64().serialize(value)));
  await using rollup = await startRollup(32n);
  const refused = await rollup.register();
  expect(codeOf(refused)).toBe("BRIDGE_BELOW_MINIMUM");
  for (const part of ["0umin", `${minimum}umin`, "852002"]) expect(refused.stderr).toContain(part);
  await sendToBridge(minimum);
  expect((await rollup.register()).status).toBe(0);
});

async function sendToBridge(amount: bigint): Promise<void> {
  const { restUrl } = l1.endpoint;
  const rest = new RESTClient(restUrl, { chainId: l1.chainId });
  const wallet = new Wallet(rest, new MnemonicKey({ mnemonic: testAccounts.operator.mnemonic }));
  const message = new MsgSend(wallet.key.accAddress, bridgeAddress, { umin: amount.toString() });
  await rest.tx.broadcastSync(await wallet.createAndSignTx({ msgs: [message], fee: new Fee(200_000, "0umin") }));
  const account = parseAccount(bridgeAddress, { accountBytes: [32] });
  await expect.poll(() => readBalance({ l1RestUrl: restUrl, account, denom: "umin" })).toBe(amount);
}

test("the bridge's own account is refused as operator, by name", async () => {
  await using rollup = await startRollup(33n);
  const settings = settingsOf("0x1", 33n, { operator: bridgeAddressOf(33n) });
  await rollup.write("proposal.json", settings);
  const refused = await rollup.register();
  expect(codeOf(refused)).toBe("OPERATOR_INVALID");
  expect(refused.stderr).toContain("BridgeAccount");
});
