import type { CosmosNode } from "@vipscore/localnet";

/** The height of the block that has a transaction. */
export async function transactionHeight(node: CosmosNode, hash: string): Promise<number> {
  const answer = await fetch(`${node.rpcUrl}/tx?hash=0x${hash}`);
  const { result } = (await answer.json()) as { readonly result: { readonly height: string } };
  return Number(result.height);
}
