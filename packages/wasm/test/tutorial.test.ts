import { readFile } from "node:fs/promises";
import { SigningCosmWasmClient } from "@cosmjs/cosmwasm-stargate";
import { DirectSecp256k1HdWallet } from "@cosmjs/proto-signing";
import { GasPrice } from "@cosmjs/stargate";
import { expect, test } from "vitest";
import { VipScoreClient } from "@vipscore/contracts-wasm/client";
import { startVipnode, testAccounts } from "@vipscore/localnet";
import type { Shape } from "@vipscore/testkit/adapter/adapterChain";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { started } from "@vipscore/testkit/started";
import { wasmAccount } from "../src/index.ts";
import { scorePlayer } from "./clientExample.ts";
import { codeOf } from "./testContract.ts";

/** Code that an operator writes by hand with cosmjs, without this package. */

const chain = started(() => startVipnode({ vm: "wasm" }));

const other = "init1lf0swvvhy3vqautdemmvunfmp0grfrjgzznx9s";

const { mnemonic } = testAccounts.deployer;
const ownAccount = wasmAccount({ mnemonic });

async function openClient() {
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: "init" });
  const [signer] = await wallet.getAccounts();
  const client = await SigningCosmWasmClient.connectWithSigner(chain.rpcUrl, wallet, {
    gasPrice: GasPrice.fromString("0umin"),
    broadcastPollIntervalMs: 50,
    broadcastTimeoutMs: hangBoundMs,
  });
  return { client, sender: signer!.address };
}

test.each<Shape>(["reference", "ours"])("store, instantiate, update, finalize, query: %s", async (shape) => {
  const { client, sender } = await openClient();
  try {
    const { bytes, checksum } = await codeOf(shape);
    const upload = await client.upload(sender, bytes, "auto");
    expect(upload.checksum).toBe(checksum.toString("hex"));
    const message = { allow_list: [sender], init_stage: 1 };
    const made = await client.instantiate(sender, upload.codeId, message, "vip", "auto", { admin: sender });
    const { contractAddress: address } = made;
    const scores = [
      [sender, 100],
      [other, 250],
    ];
    const updated = await client.execute(sender, address, { update_scores: { stage: 1, scores } }, "auto");
    const events = updated.events.filter(({ type }) => type === "wasm-update-score");
    const told = (addr: string, score: string, total: string) => [
      ["_contract_address", address],
      ["addr", addr],
      ["stage", "1"],
      ["score", score],
      ["total_score", total],
      ["msg_index", "0"],
    ];
    expect(events.map(({ attributes }) => attributes.map(({ key, value }) => [key, value]))).toEqual([
      told(sender, "100", "100"),
      told(other, "250", "350"),
    ]);
    await client.execute(sender, address, { finalize_stage: { stage: 1 } }, "auto");

    expect(await client.queryContractSmart(address, { get_stage_info: { stage: 1 } })).toEqual({
      stage: 1,
      total_score: 350,
      is_finalized: true,
    });
    const page = await client.queryContractSmart(address, { get_scores: { stage: 1, limit: 10 } });
    expect(page).toEqual({
      scores: [
        { stage: 1, addr: sender, score: 100 },
        { stage: 1, addr: other, score: 250 },
      ],
    });
    expect(await client.queryContractSmart(address, { get_score: { addr: other, stage: 1 } })).toMatchObject({
      score: 250,
    });
    const late = client.execute(sender, address, { update_score: { addr: other, stage: 1, amount: 1 } }, "auto");
    await expect(late).rejects.toThrow("Stage finalized");
  } finally {
    client.disconnect();
  }
});

test("the client of contracts-wasm refuses numbers that JavaScript rounds", async () => {
  const read = (path: string) => readFile(new URL(path, import.meta.url), "utf8");
  expect(await read("../../../contracts/wasm/README.md")).toContain(await read("clientExample.ts"));
  const { client, sender } = await openClient();
  try {
    const { codeId } = await client.upload(sender, (await codeOf("ours")).bytes, "auto");
    const message = { allow_list: [sender, ownAccount.address], init_stage: 1 };
    const { contractAddress: address } = await client.instantiate(sender, codeId, message, "vip", "auto");
    // Twice: after the first, the chain's account has a public key of coin type 60.
    for (const total of [100, 100]) expect(await scorePlayer(chain.rpcUrl, mnemonic, address, other)).toBe(total);
    const scores = new VipScoreClient(client, sender, address);
    await scores.setFinalizer({ finalizer: sender });
    expect(await scores.getOwnership()).toMatchObject({ owner: sender, finalizer: sender, members_can_manage: true });
    const row = { addr: other, stage: 1 };
    await scores.updateScore({ ...row, amount: Number.MAX_SAFE_INTEGER });
    expect(await scores.getScore(row)).toEqual({ ...row, score: Number.MAX_SAFE_INTEGER });
    await expect(scores.updateScore({ ...row, amount: 2 ** 53 })).rejects.toThrow(RangeError);
    await scores.increaseScore({ ...row, amount: 2 });
    // cosmjs alone returns another number.
    expect(await client.queryContractSmart(address, { get_score: row })).toMatchObject({ score: 2 ** 53 });
    await expect(scores.getScore(row)).rejects.toThrow(RangeError);
    await scores.updateScore({ addr: sender, stage: 1, amount: 0 });
    await scores.decreaseScore({ ...row, amount: 2 });
    const expected = { expectedCount: 2, expectedTotal: Number.MAX_SAFE_INTEGER, stage: 1 };
    const early = scores.finalizeStageChecked({ ...expected, expectedRevision: 5 });
    await expect(early).rejects.toThrow(/\brevision\b/);
    await scores.finalizeStageChecked({ ...expected, expectedRevision: 6 });
    expect(await scores.getStageInfo({ stage: 1 })).toMatchObject({ is_finalized: true });
  } finally {
    client.disconnect();
  }
});
