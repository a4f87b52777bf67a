import { SigningCosmWasmClient } from "@cosmjs/cosmwasm-stargate";
import { DirectSecp256k1HdWallet } from "@cosmjs/proto-signing";
import { GasPrice } from "@cosmjs/stargate";
import { expect, test } from "vitest";
import { startVipnode, testAccounts } from "@vipscore/localnet";
import type { Shape } from "@vipscore/testkit/adapter/adapterChain";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { started } from "@vipscore/testkit/started";
import { codeOf } from "./testContract.ts";

/** Code that an operator writes by hand with cosmjs, without this package. */

const chain = started(() => startVipnode({ vm: "wasm" }));

test.each<Shape>(["reference", "ours"])("store, instantiate, update, finalize, query: %s", async (shape) => {
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(testAccounts.deployer.mnemonic, { prefix: "init" });
  const [signer] = await wallet.getAccounts();
  const sender = signer!.address;
  const client = await SigningCosmWasmClient.connectWithSigner(chain.rpcUrl, wallet, {
    gasPrice: GasPrice.fromString("0umin"),
    broadcastPollIntervalMs: 50,
    broadcastTimeoutMs: hangBoundMs,
  });
  try {
    const { bytes, checksum } = await codeOf(shape);
    const upload = await client.upload(sender, bytes, "auto");
    expect(upload.checksum).toBe(checksum.toString("hex"));
    const message = { allow_list: [sender], init_stage: 1 };
    const made = await client.instantiate(sender, upload.codeId, message, "vip", "auto", { admin: sender });
    const { contractAddress: address } = made;
    const other = "init1lf0swvvhy3vqautdemmvunfmp0grfrjgzznx9s";
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
