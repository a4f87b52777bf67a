import { bcs, isTxError, MnemonicKey, MsgExecute, MsgPublish, RESTClient, Wallet, type Msg } from "@initia/initia.js";
import { expect, test } from "vitest";
import { startVipnode, testAccounts } from "@vipscore/localnet";
import type { Shape } from "@vipscore/testkit/adapter/adapterChain";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { started } from "@vipscore/testkit/started";
import { parseModuleAddress } from "../src/moveAddress.ts";
import { codeOf } from "./testContract.ts";

/** Code that an operator writes by hand with initia.js, without this package. */

const chain = started(() => startVipnode({ vm: "move" }));

const scorers: readonly (readonly [Shape, string])[] = [
  ["reference", testAccounts.deployer.mnemonic],
  ["ours", testAccounts.operator.mnemonic],
];

test.each(scorers)("add_deployer, set_init_stage, update, finalize on the module: %s", async (shape, mnemonic) => {
  const key = new MnemonicKey({ mnemonic });
  const rest = new RESTClient(chain.restUrl, { chainId: chain.chainId, gasPrices: "0umin", gasAdjustment: "1.75" });
  const wallet = new Wallet(rest, key);
  const send = async (message: Msg) => {
    const result = await rest.tx.broadcast(await wallet.createAndSignTx({ msgs: [message] }), hangBoundMs);
    if (isTxError(result)) throw new Error(result.raw_log);
    return result;
  };
  const run = (name: string, args: readonly string[]) =>
    send(new MsgExecute(key.accAddress, key.accAddress, "vip_score", name, [], [...args]));

  const code = codeOf(shape, parseModuleAddress(key.accAddress));
  await send(new MsgPublish(key.accAddress, [code.toString("base64")], MsgPublish.Policy.COMPATIBLE));
  await run("add_deployer_script", [bcs.address().serialize(key.accAddress).toBase64()]);
  await run("set_init_stage", [bcs.u64().serialize(1).toBase64()]);
  const scored = [
    { address: "0x1111111111111111111111111111111111111111", score: 100 },
    { address: "0x2222222222222222222222222222222222222222", score: 250 },
  ];
  const updated = await run("update_score_script", [
    bcs.u64().serialize(1).toBase64(),
    bcs
      .vector(bcs.address())
      .serialize(scored.map(({ address }) => address))
      .toBase64(),
    bcs
      .vector(bcs.u64())
      .serialize(scored.map(({ score }) => score))
      .toBase64(),
  ]);
  const { events } = await rest.tx.txInfo(updated.txhash);
  expect(events.filter(({ type }) => type === "move")).toHaveLength(2);
  await run("finalize_script", [bcs.u64().serialize(1).toBase64()]);

  const view = (name: string, args: readonly string[]) =>
    rest.move.viewFunction(key.accAddress, "vip_score", name, [], [...args]);
  expect(await view("get_total_score", [bcs.u64().serialize(1).toBase64()])).toBe("350");
  for (const { address, score } of scored) {
    const args = [bcs.address().serialize(address).toBase64(), bcs.u64().serialize(1).toBase64()];
    expect(await view("get_score", args)).toBe(String(score));
  }
  const late = run("update_score_script", [
    bcs.u64().serialize(1).toBase64(),
    bcs.vector(bcs.address()).serialize([]).toBase64(),
    bcs.vector(bcs.u64()).serialize([]).toBase64(),
  ]);
  // initia.js simulates first and throws the node's refusal as an HTTP error: the stage is finalized, abort 0x10008.
  const message = expect.stringContaining("code=65544") as unknown;
  await expect(late).rejects.toMatchObject({ response: { data: { message } } });
});
