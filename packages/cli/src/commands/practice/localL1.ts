import { setTimeout as sleep } from "node:timers/promises";
import { ExecutionError, InputError } from "@vipscore/core";
import { readNodeFile } from "@vipscore/core/nodeFile";
import { testAccounts } from "@vipscore/core/testAccounts";
import { absentIf, isNotFound, openRest, type Answer, type RestClient } from "@vipscore/core/wire";
import { readVipStage, type VipOptions } from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { optionalPackage } from "../../optionalPackage.ts";

/** The L1 of `vipscore node --l1`, and its calls by VIP's agent. */
export interface LocalL1 {
  readonly options: VipOptions;
  /** Calls an entry function of the module `vip` with arguments in BCS, as the test account that is the agent. */
  readonly call: (functionName: string, ...args: readonly Buffer[]) => Promise<void>;
  /** Sends a signed transaction, as the Cosmos CLI writes it. Returns its hash, once it is in a block. */
  readonly send: (transaction: object) => Promise<string>;
}

/** Milliseconds between two questions for a transaction. */
const pollMs = 50;

/**
 * Opens the L1 that runs for the current folder. No setting names another one, so that nothing is ever sent to a real chain.
 *
 * @throws InputError `CONFIG_INVALID` if none runs.
 */
export async function openLocalL1({ io }: Context): Promise<LocalL1> {
  const l1 = (await readNodeFile(io.cwd))?.l1;
  if (l1 === undefined) {
    throw new InputError("no local L1 runs for this folder", {
      code: "CONFIG_INVALID",
      metaMessages: ["Start it in another terminal of this folder: vipscore node --l1"],
    });
  }
  const { restUrl, vipAddress } = l1;
  const { signal } = io;
  const rest = openRest(restUrl);
  const options = { l1RestUrl: restUrl, vipAddress, signal };
  const send = (transaction: object): Promise<string> => sendTransaction(rest, transaction, signal);
  const call: LocalL1["call"] = async (functionName, ...args) => {
    const { moveAccount, signMessage } = await optionalPackage("@vipscore/move");
    const account = moveAccount({ privateKey: testAccounts.operator.privateKey });
    const { chainId } = await readVipStage(options);
    const message = {
      "@type": "/initia.move.v1.MsgExecute",
      sender: account.address,
      module_address: vipAddress,
      module_name: "vip",
      function_name: functionName,
      type_args: [],
      args: args.map((bytes) => bytes.toString("base64")),
    };
    await send((await signMessage({ restUrl, chainId, account, message, gas: 1_000_000n, signal })).json);
  };
  return { options, call, send };
}

/** @throws ExecutionError `TRANSACTION_FAILED` if the chain refuses it, or it fails in its block; NodeError. */
async function sendTransaction(rest: RestClient, tx: object, signal: AbortSignal): Promise<string> {
  // The node itself reads the JSON, as `initiad` does.
  const bytes = await rest.send("/cosmos/tx/v1beta1/encode", { tx }, (answer) => answer.field("tx_bytes").text(), {
    signal,
  });
  const body = { tx_bytes: bytes, mode: "BROADCAST_MODE_SYNC" };
  const hash = await rest.send("/cosmos/tx/v1beta1/txs", body, readResult, { signal });
  for (;;) {
    const found = await absentIf(isNotFound, rest.get(`/cosmos/tx/v1beta1/txs/${hash}`, readResult, { signal }));
    if (found !== undefined) return found;
    await sleep(pollMs, undefined, { signal });
  }
}

function readResult(answer: Answer): string {
  const result = answer.field("tx_response");
  const hash = result.field("txhash").text();
  if (result.field("code").integer() === 0) return hash;
  const details = result.field("raw_log").text();
  throw new ExecutionError(`the local L1 refuses the transaction: ${details}`, {
    code: "TRANSACTION_FAILED",
    txHash: hash,
    metaMessages: [],
    details,
  });
}
