import { ExecutionError, InputError, NodeError } from "@vipscore/core";
import { pollUntil } from "@vipscore/core/engine";
import { readNodeFile } from "@vipscore/core/nodeFile";
import { testAccounts } from "@vipscore/core/testAccounts";
import { absentIf, isNotFound, openRest, patienceMs, type Answer, type RestClient } from "@vipscore/core/wire";
import {
  bcsU64,
  executeMessage,
  parseMoveAddress,
  proposalMessage,
  readVipProposals,
  readVipStage,
  type VipMessage,
  type VipOptions,
} from "@vipscore/l1";
import type { MoveAccount } from "@vipscore/move";
import type { Context } from "../../context.ts";
import { optionalPackage } from "../../optionalPackage.ts";

/** The L1 of `vipscore node --l1`, and its calls by VIP's agent. */
export interface LocalL1 {
  readonly options: VipOptions;
  /** Calls an entry function of the module `vip` with arguments in BCS, as the test account that is the agent. */
  readonly call: (functionName: string, ...args: readonly Buffer[]) => Promise<void>;
  /** Has governance call an entry function for a bridge, and waits until the vote is over. */
  readonly govern: (functionName: string, bridgeId: bigint, ...args: readonly Buffer[]) => Promise<void>;
  /** Sends a signed transaction, as the Cosmos CLI writes it. Returns its hash, once it is in a block. */
  readonly send: (transaction: object) => Promise<string>;
}

/** The deposit with which every proposal on the local L1 passes. */
const passing = { denom: "umin", amount: 10_000_000n };

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
  const sendMessage = async (message: VipMessage): Promise<void> => {
    const { signMessage } = await optionalPackage("@vipscore/move");
    const { chainId } = await readVipStage(options);
    const account = await agent();
    await send((await signMessage({ restUrl, chainId, account, message, gas: 1_000_000n, signal })).json);
  };
  const vip = parseMoveAddress(vipAddress);
  return {
    options,
    send,
    call: async (functionName, ...args) => {
      const { account } = await agent();
      await sendMessage(executeMessage({ functionName, args }, vip, account));
    },
    govern: async (functionName, bridgeId, ...args) => {
      const { account: proposer } = await agent();
      const texts = { proposer, deposit: passing, title: functionName, summary: functionName, metadata: "" };
      await sendMessage(proposalMessage({ functionName, args: [bcsU64.encode(bridgeId), ...args] }, vip, texts));
      const isOver = async (): Promise<true | undefined> => {
        const [newest] = await readVipProposals({ ...options, vip: { address: vip, isConfirmed: true }, bridgeId });
        return newest?.status === "VOTING_PERIOD" ? undefined : true;
      };
      await waitForL1("the end of a vote", isOver, signal);
    },
  };
}

/** The public test account that is the agent of the local L1. */
async function agent(): Promise<MoveAccount> {
  const { moveAccount } = await optionalPackage("@vipscore/move");
  return moveAccount({ privateKey: testAccounts.operator.privateKey });
}

/** @throws ExecutionError `TRANSACTION_FAILED` if the chain refuses it, or it fails in its block; NodeError. */
async function sendTransaction(rest: RestClient, tx: object, signal: AbortSignal): Promise<string> {
  // The node itself reads the JSON, as `initiad` does.
  const bytes = await rest.send("/cosmos/tx/v1beta1/encode", { tx }, (answer) => answer.field("tx_bytes").text(), {
    signal,
  });
  const body = { tx_bytes: bytes, mode: "BROADCAST_MODE_SYNC" };
  const hash = await rest.send("/cosmos/tx/v1beta1/txs", body, readResult, { signal });
  const find = () => absentIf(isNotFound, rest.get(`/cosmos/tx/v1beta1/txs/${hash}`, readResult, { signal }));
  return waitForL1(`the block of transaction ${hash}`, find, signal);
}

/** Repeats a read until the local L1 shows what it is for. @throws NodeError `NODE_BEHIND` after two minutes. */
export async function waitForL1<T>(what: string, read: () => Promise<T | undefined>, signal: AbortSignal): Promise<T> {
  const timeoutMs = patienceMs.inclusion;
  const shown = await pollUntil(read, { timeoutMs, signal });
  if (shown !== undefined) return shown;
  throw new NodeError(`the local L1 does not show ${what} within ${timeoutMs / 1000} s`, { code: "NODE_BEHIND" });
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
