import { createHash } from "node:crypto";

interface Attribute {
  readonly key: string;
  readonly value: string;
}

interface BlockResults {
  readonly txs_results: readonly {
    readonly events: readonly { readonly type: string; readonly attributes: readonly Attribute[] }[];
  }[];
}

interface Block {
  readonly block: { readonly data: { readonly txs: readonly string[] } };
}

/** Reads the events of Move and Wasm in a plain loop: results and transactions of one block after the other, and no times. */
export async function readPlainBlocks(
  call: <T>(method: string, params: unknown) => Promise<T>,
  last: number,
  take: (height: number, txHash: string, index: number, volume: string) => void,
): Promise<void> {
  for (let height = 1; height <= last; height += 1) {
    const { txs_results: results } = await call<BlockResults>("block_results", { height: `${height}` });
    const { block } = await call<Block>("block", { height: `${height}` });
    const hashes = block.data.txs.map((tx) => createHash("sha256").update(tx, "base64").digest("hex").toUpperCase());
    for (const [transaction, { events }] of results.entries()) {
      for (const [index, { type, attributes }] of events.entries()) {
        if (type !== "move" && type !== "wasm") continue;
        const volume = attributes.find(({ key }) => key === "volume")?.value ?? "";
        take(height, hashes[transaction] ?? "", index, volume);
      }
    }
  }
}
