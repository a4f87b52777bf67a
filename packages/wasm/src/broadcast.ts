import type { SignedTransaction } from "@vipscore/core";
import { isRequestFault, type Answer, type JsonRpc } from "@vipscore/core/wire";
import { classifyRefusal, settleBroadcast, type NodeRefusal } from "@vipscore/cosmos";
import { lookUp, readOutcome } from "./lookUp.ts";

/** Sends a signed transaction to the node, once, and settles its answer; see {@link settleBroadcast}. */
export function broadcast(
  comet: JsonRpc,
  transaction: SignedTransaction,
  signal: AbortSignal | undefined,
): Promise<void> {
  const tx = Buffer.from(transaction.bytes).toString("base64");
  const read = (answer: Answer): NodeRefusal | undefined => readRefusal(answer, transaction);
  return settleBroadcast(transaction, comet.send("broadcast_tx_sync", { tx }, read, signal), {
    isRefusal: isRequestFault,
    lookUp: (hash) => lookUp(comet, hash, signal),
  });
}

/** Why the node did not accept a transaction; undefined if it did. */
function readRefusal(answer: Answer, { hash }: SignedTransaction): NodeRefusal | undefined {
  const outcome = readOutcome(answer);
  const field = answer.field("hash");
  const isSame = field.text().toUpperCase() === hash;
  const { code, codespace, log } = outcome;
  if (code === 0) return isSame ? undefined : field.unreadable(`${hash}, which was sent`);
  return { kind: classifyRefusal(outcome), details: `${codespace} code ${code}: ${log}` };
}
