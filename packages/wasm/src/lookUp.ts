import type { Comet38Client } from "@cosmjs/tendermint-rpc";
import type { TransactionStatus } from "@vipscore/core";
import type { CometRpc } from "./cometRpc.ts";
import { RpcError } from "./cometErrors.ts";
import { explainFailure } from "./contractErrors.ts";

/** A transaction in a block, as cosmjs's client gives it. */
export type Receipt = Awaited<ReturnType<Comet38Client["tx"]>>;

/** The transaction of a hash with its events; undefined where no block has it. */
export async function findReceipt(
  comet: CometRpc,
  hash: string,
  signal: AbortSignal | undefined,
): Promise<Receipt | undefined> {
  try {
    return await comet.read("tx", (client) => client.tx({ hash: Buffer.from(hash, "hex") }), signal);
  } catch (error) {
    if (error instanceof RpcError && /tx \([0-9A-F]+\) not found/i.test(error.details ?? "")) return undefined;
    throw error;
  }
}

/**
 * What the node knows of a transaction: in a block or unknown.
 *
 * Transactions that wait for a block cannot be asked for by their hash, so one is unknown until then, never pending.
 * That is safe: the engine hands an unknown transaction over again after a while, always the same bytes, and the node
 * answers that it has them. Only its sequence decides that a transaction is gone.
 */
export async function lookUp(
  comet: CometRpc,
  hash: string,
  signal: AbortSignal | undefined,
): Promise<TransactionStatus> {
  const receipt = await findReceipt(comet, hash, signal);
  if (receipt === undefined) return { state: "unknown" };
  const { code, codespace = "", log = "", gasUsed } = receipt.result;
  const included = { state: "included", height: BigInt(receipt.height), gasUsed } as const;
  if (code === 0) return { ...included, succeeded: true };
  return { ...included, succeeded: false, ...explainFailure({ codespace, code, log }) };
}
