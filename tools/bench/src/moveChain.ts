import { randomBytes } from "node:crypto";
import {
  bcs,
  isTxError,
  MnemonicKey,
  MsgExecute,
  MsgPublish,
  MsgSend,
  RawKey,
  RESTClient,
  Wallet,
  type Key,
  type Msg,
} from "@initia/initia.js";
import { stage, type ScoreRow } from "@vipscore/core";
import { connectMove, deployMove, moveAccount, readMoveChainId } from "@vipscore/move";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import type { BenchChain, BenchChainParameters, PlainClient } from "./benchChain.ts";
import { compileMoveReference } from "./compileMoveReference.ts";

/** Gas that a new account can pay for: publishing, and each row both ways, with the margins of gas limits. */
const gasWithoutRows = 20_000_000;
const gasPerRow = 10_000;

/** A Move chain. The plain library is initia.js. A module lies at its publisher's address, so each has its own account. */
export async function openMoveChain(parameters: BenchChainParameters): Promise<BenchChain> {
  const { endpoint: restUrl, key, gasPrices, rows } = parameters;
  const chainId = await readMoveChainId({ restUrl });
  const openWallet = (of: Key) => {
    const rest = new RESTClient(restUrl, { chainId, gasPrices, gasAdjustment: "1.75" });
    return { rest, wallet: new Wallet(rest, of) };
  };
  const send = async ({ rest, wallet }: ReturnType<typeof openWallet>, message: Msg): Promise<void> => {
    const result = await rest.tx.broadcast(await wallet.createAndSignTx({ msgs: [message] }), hangBoundMs);
    if (isTxError(result))
      throw new Error(`transaction ${result.txhash} of the plain library failed: ${result.raw_log}`);
  };
  const payer = "mnemonic" in key ? new MnemonicKey({ mnemonic: key.mnemonic }) : ethKey(key.privateKey.slice(2));
  const freshKey = async (): Promise<string> => {
    const hex = randomBytes(32).toString("hex");
    const [, price = "", denom = ""] = /^([\d.]+)(\S+)$/.exec(gasPrices) ?? [];
    const amount = Math.ceil(Number(price) * (gasWithoutRows + gasPerRow * rows)) + 1;
    await send(openWallet(payer), new MsgSend(payer.accAddress, ethKey(hex).accAddress, `${amount}${denom}`));
    return hex;
  };
  let codeOf: ((publisher: Buffer) => Buffer) | undefined;
  return {
    deployOurs: async () => {
      const account = moveAccount({ privateKey: await freshKey() });
      const { address } = await deployMove({ restUrl, account, gasPrices, initStage: stage(1n) });
      return () => connectMove({ restUrl, address, account, gasPrices });
    },
    deployReference: async () => {
      const hex = await freshKey();
      const account = ethKey(hex);
      const opened = openWallet(account);
      const address = moveAccount({ privateKey: hex }).account.slice(2).padStart(64, "0");
      codeOf ??= await compileMoveReference();
      const code = codeOf(Buffer.from(address, "hex"));
      const { accAddress } = account;
      await send(opened, new MsgPublish(accAddress, [code.toString("base64")], MsgPublish.Policy.COMPATIBLE));
      const run = (name: string, arg: string) => send(opened, callOf(accAddress, name, [arg]));
      await run("add_deployer_script", bcs.address().serialize(accAddress).toBase64());
      await run("set_init_stage", bcs.u64().serialize(1).toBase64());
      return () => Promise.resolve(openClient(openWallet(account), accAddress));
    },
  };

  function openClient(opened: ReturnType<typeof openWallet>, address: string): PlainClient {
    return {
      // Estimates as `createAndSignTx` does.
      estimate: (batch) => opened.wallet.createTx({ msgs: [updateOf(address, batch)] }),
      update: (batch) => send(opened, updateOf(address, batch)),
      close: () => {},
    };
  }
}

function ethKey(hex: string): RawKey {
  return new RawKey(Buffer.from(hex, "hex"), true);
}

function callOf(address: string, name: string, args: string[]): MsgExecute {
  return new MsgExecute(address, address, "vip_score", name, [], args);
}

function updateOf(address: string, rows: readonly ScoreRow[]): MsgExecute {
  const accounts = bcs.vector(bcs.address()).serialize(rows.map(({ account }) => account));
  const scores = bcs.vector(bcs.u64()).serialize(rows.map(({ score }) => score));
  const args = [bcs.u64().serialize(1), accounts, scores].map((arg) => arg.toBase64());
  return callOf(address, "update_score_script", args);
}
