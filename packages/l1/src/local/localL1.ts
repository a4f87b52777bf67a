import { ExecutionError, NodeError, type Account } from "@vipscore/core";
import { pollUntil } from "@vipscore/core/engine";
import { isNotFound, openRest, patienceMs, undefinedIf, type Answer, type RestClient } from "@vipscore/core/wire";
import { bcsU64 } from "../bcs/bcsType.ts";
import { readVipProposals } from "../proposal/readVipProposals.ts";
import { executeMessage, proposalMessage, type VipMessage } from "../proposal/vipMessages.ts";
import type { VipOptions } from "../vip/openVip.ts";
import { readVipStage } from "../vip/readVipStage.ts";
import { parseMoveAddress } from "../vip/vipAddress.ts";

/** Location of a local L1, and the account that is VIP's agent there. */
export interface OpenLocalL1Options {
  readonly restUrl: string;
  readonly vipAddress: string;
  readonly agent: Account;
  /** Signs a message as the agent, as the Cosmos CLI does. */
  readonly sign: (message: VipMessage, chainId: string) => Promise<object>;
  readonly signal: AbortSignal;
}

/** A local L1, and its calls by VIP's agent. */
export interface LocalL1 {
  readonly options: VipOptions;
  /** Calls an entry function of the module `vip` with arguments in BCS, as the agent. */
  readonly call: (functionName: string, ...args: readonly Buffer[]) => Promise<void>;
  /** Has governance call an entry function for a bridge, and waits until the vote is over. */
  readonly govern: (functionName: string, bridgeId: bigint, ...args: readonly Buffer[]) => Promise<void>;
  /** Sends a signed transaction, as the Cosmos CLI writes it. Returns its hash, once it is in a block. */
  readonly send: (transaction: object) => Promise<string>;
  /** Repeats a read until the chain shows what it is for. Throws a NodeError `NODE_BEHIND` after two minutes. */
  readonly waitFor: <T>(what: string, read: () => Promise<T | undefined>) => Promise<T>;
}

/** The deposit with which every proposal on the local L1 passes. */
const passing = { denom: "umin", amount: 10_000_000n };

/** Opens a local L1, whose agent is an account of the caller. */
export function openLocalL1({ restUrl, vipAddress, agent, sign, signal }: OpenLocalL1Options): LocalL1 {
  const rest = openRest(restUrl);
  const options = { l1RestUrl: restUrl, vipAddress, signal };
  const vip = parseMoveAddress(vipAddress);
  const waitFor: LocalL1["waitFor"] = async (what, read) => {
    const timeoutMs = patienceMs.inclusion;
    const found = await pollUntil(read, { timeoutMs, signal });
    if (found !== undefined) return found;
    throw new NodeError(`the local L1 does not show ${what} within ${timeoutMs / 1000} s`, { code: "NODE_BEHIND" });
  };
  const send: LocalL1["send"] = async (transaction) => {
    const hash = await broadcastMessage(rest, transaction, signal);
    const find = () => undefinedIf(isNotFound, rest.get(`/cosmos/tx/v1beta1/txs/${hash}`, readCallResult, { signal }));
    return waitFor(`the block of transaction ${hash}`, find);
  };
  const sendMessage = async (message: VipMessage): Promise<void> => {
    const { chainId } = await readVipStage(options);
    await send(await sign(message, chainId));
  };
  return {
    options,
    waitFor,
    send,
    call: (functionName, ...args) => sendMessage(executeMessage({ functionName, args }, vip, agent)),
    govern: async (functionName, bridgeId, ...args) => {
      const texts = { proposer: agent, deposit: passing, title: functionName, summary: functionName, metadata: "" };
      await sendMessage(proposalMessage({ functionName, args: [bcsU64.encode(bridgeId), ...args] }, vip, texts));
      await waitFor("the end of a vote", async () => {
        const [newest] = await readVipProposals({ ...options, vip: { address: vip, isConfirmed: true }, bridgeId });
        return newest?.status === "VOTING_PERIOD" ? undefined : true;
      });
    },
  };
}

async function broadcastMessage(rest: RestClient, tx: object, signal: AbortSignal): Promise<string> {
  // The node itself reads the JSON, as `initiad` does.
  const readBytes = (answer: Answer): string => answer.field("tx_bytes").text();
  const bytes = await rest.send("/cosmos/tx/v1beta1/encode", { tx }, readBytes, { signal });
  const body = { tx_bytes: bytes, mode: "BROADCAST_MODE_SYNC" };
  return rest.send("/cosmos/tx/v1beta1/txs", body, readCallResult, { signal });
}

function readCallResult(answer: Answer): string {
  const result = answer.field("tx_response");
  const hash = result.field("txhash").text();
  const code = result.field("code").integer();
  if (code === 0) return hash;
  const log = result.field("raw_log").text();
  // Without a text, the node has these very bytes (code 19 of the Cosmos SDK).
  const details = log === "" && code === 19 ? `it has ${hash} already` : log;
  throw new ExecutionError(`the local L1 refuses the transaction: ${details}`, {
    code: "TRANSACTION_FAILED",
    txHash: hash,
    metaMessages: [],
    details,
  });
}
