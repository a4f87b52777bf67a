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
  url: string,
  last: number,
  take: (height: number, txHash: string, index: number, volume: string) => void,
): Promise<void> {
  const call = async <T>(method: string, height: number): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { height: `${height}` } });
    const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
    return ((await response.json()) as { readonly result: T }).result;
  };
  for (let height = 1; height <= last; height += 1) {
    const { txs_results: results } = await call<BlockResults>("block_results", height);
    const { block } = await call<Block>("block", height);
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
