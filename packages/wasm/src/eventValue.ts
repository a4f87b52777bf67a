import { NodeError } from "@vipscore/core";
import { pollUntil } from "@vipscore/core/engine";
import { patienceMs, RpcError, undefinedIf, type Answer, type JsonRpc } from "@vipscore/core/wire";

/** Reads a value from an event of an included transaction. @throws NodeError `NODE_BAD_RESPONSE` if it does not have the event. */
export async function eventValue(
  comet: JsonRpc,
  hash: string,
  { type, key }: { readonly type: string; readonly key: string },
  signal: AbortSignal | undefined,
): Promise<string> {
  const read = (answer: Answer): string => {
    const events = answer.field("tx_result").field("events");
    const event = events.list().find((each) => each.field("type").text() === type);
    const attributes = event?.field("attributes").list() ?? [];
    const found = attributes.find((attribute) => attribute.field("key").text() === key);
    return found?.field("value").text() ?? events.unreadable(`a list with ${key} of ${type}`);
  };
  const find = (): Promise<string | undefined> =>
    undefinedIf(
      isUnknownTransaction,
      comet.read("tx", { hash: Buffer.from(hash, "hex").toString("base64") }, read, signal),
    );
  // The answering node may be behind the one that returned the transaction first.
  const value = await pollUntil(find, { timeoutMs: patienceMs.behind, signal });
  if (value !== undefined) return value;
  throw new NodeError(`${comet.endpoint} does not have transaction ${hash}, which was in a block`, {
    code: "NODE_BAD_RESPONSE",
  });
}

function isUnknownTransaction(error: unknown): boolean {
  return error instanceof RpcError && /tx \([0-9A-F]+\) not found/i.test(error.details ?? "");
}
