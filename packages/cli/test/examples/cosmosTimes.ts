/** Reads the Unix time of a block from CometBFT's RPC, in seconds. */
export async function cosmosTimeOf(rpcUrl: string, height: number): Promise<number> {
  const answer = await fetch(`${rpcUrl}/block?height=${height}`);
  const { result } = (await answer.json()) as { readonly result: { readonly block: { header: { time: string } } } };
  return Math.floor(Date.parse(result.block.header.time) / 1000);
}
