import { readFile } from "node:fs/promises";
import {
  bcs,
  isTxError,
  MnemonicKey,
  MsgExecute,
  MsgPublish,
  MsgSend,
  RESTClient,
  Wallet,
  type Msg,
  type Tx,
} from "@initia/initia.js";
import { expect, test } from "vitest";
import { vipScoreMessages, type VipScoreMessages } from "@vipscore/contracts-move/initia";
import { startVipnode, testAccounts } from "@vipscore/localnet";
import type { Shape } from "@vipscore/testkit/adapter/adapterChain";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { started } from "@vipscore/testkit/started";
import { parseModuleAddress } from "../src/moveAddress.ts";
import { signScore } from "./messagesExample.ts";
import { codeOf } from "./testContract.ts";

/** Code that an operator writes by hand with initia.js, without this package. */

const chain = started(() => startVipnode({ vm: "move" }));

const scorers: readonly (readonly [Shape, string])[] = [
  ["reference", testAccounts.deployer.mnemonic],
  ["ours", testAccounts.operator.mnemonic],
];

/** What the test reads of a module's interface. */
interface ModuleAbi {
  readonly exposed_functions: readonly {
    readonly name: keyof VipScoreMessages;
    readonly is_entry: boolean;
    readonly params: readonly string[];
  }[];
}

/** Opens a wallet of initia.js. */
function openWallet(key: MnemonicKey) {
  const rest = new RESTClient(chain.restUrl, { chainId: chain.chainId, gasPrices: "0umin", gasAdjustment: "1.75" });
  const wallet = new Wallet(rest, key);
  const send = async (message: Msg | Promise<Tx>) => {
    const tx = message instanceof Promise ? await message : await wallet.createAndSignTx({ msgs: [message] });
    const result = await rest.tx.broadcast(tx, hangBoundMs);
    if (isTxError(result)) throw new Error(result.raw_log);
    return result;
  };
  return { rest, wallet, send };
}

test.each(scorers)("add_deployer, set_init_stage, update, finalize on the module: %s", async (shape, mnemonic) => {
  const key = new MnemonicKey({ mnemonic });
  const { rest, send } = openWallet(key);
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

test("the messages of contracts-move are those of the module on the chain, and score a player", async () => {
  const read = (path: string) => readFile(new URL(path, import.meta.url), "utf8");
  expect(await read("../../../contracts/move/README.md")).toContain(await read("messagesExample.ts"));
  const deployer = openWallet(new MnemonicKey({ mnemonic: testAccounts.deployer.mnemonic }));
  const key = new MnemonicKey();
  const [sender, player] = [key.accAddress, "0x1111111111111111111111111111111111111111"];
  await deployer.send(new MsgSend(deployer.wallet.key.accAddress, sender, "1umin"));
  const { rest, wallet, send } = openWallet(key);
  const code = codeOf("ours", parseModuleAddress(sender));
  await send(new MsgPublish(sender, [code.toString("base64")], MsgPublish.Policy.COMPATIBLE));
  const messages = vipScoreMessages(sender, sender);

  const samples: Readonly<Record<string, readonly [value: unknown, encoded: { toBase64(): string }]>> = {
    u64: [2n ** 64n - 1n, bcs.u64().serialize(2n ** 64n - 1n)],
    address: [player, bcs.address().serialize(player)],
    bool: [true, bcs.bool().serialize(true)],
    "0x1::option::Option<address>": [player, bcs.option(bcs.address()).serialize(player)],
    "vector<address>": [[player], bcs.vector(bcs.address()).serialize([player])],
    "vector<u64>": [["7"], bcs.vector(bcs.u64()).serialize([7])],
  };
  const { abi } = (await rest.move.module(sender, "vip_score")) as unknown as { readonly abi: string };
  const entries = (JSON.parse(abi) as ModuleAbi).exposed_functions.filter(({ is_entry: isEntry }) => isEntry);
  expect(entries.map(({ name }) => name).sort()).toEqual(Object.keys(messages).sort());
  for (const { name, params } of entries) {
    const args = params.slice(1).map((type) => samples[type] ?? expect.fail(type));
    const build = messages[name] as (...values: readonly unknown[]) => MsgExecute;
    const encoded = args.map(([, value]) => value.toBase64());
    expect(build(...args.map(([value]) => value))).toEqual(
      new MsgExecute(sender, sender, "vip_score", name, [], encoded),
    );
    expect(() => build(...args, 1)).toThrow(TypeError);
  }
  expect(() => messages.finalize_script(2 ** 53)).toThrow(RangeError);

  await send(messages.add_deployer_script(sender));
  await send(messages.set_init_stage(1));
  await send(signScore(wallet, sender, player));
  await send(messages.finalize_checked_script(1, 100, 1, 1));
  const stageOne = [bcs.u64().serialize(1).toBase64()];
  expect(await rest.move.viewFunction(sender, "vip_score", "get_stage", [], stageOne)).toMatchObject({
    total_score: "100",
    is_finalized: true,
  });
});
