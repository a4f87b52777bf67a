import type { Context } from "../context.ts";
import type { RollupSource } from "../nft/rollupSource.ts";
import { group } from "../output/numbers.ts";
import { readContracts } from "./readContracts.ts";

/** `0x` and the digits of 32 bytes. */
const longLength = 66;

/** False for an EVM rollup without an endpoint, where nothing tells contracts from accounts. */
export function areContractsKnown({ vm, url }: RollupSource): boolean {
  return vm !== "evm" || url !== undefined;
}

/**
 * Finds the holders that are contracts. An address of 32 bytes is a contract's on Wasm and an object's on Move, where accounts
 * have 20: that asks for nothing. On EVM all have 20, and the code at each is asked for.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError.
 */
export async function findContracts(
  { io, output }: Context,
  { vm, url }: RollupSource,
  holders: ReadonlySet<`0x${string}`>,
): Promise<ReadonlySet<`0x${string}`>> {
  const contracts = new Set(Array.from(holders).filter((holder) => holder.length === longLength));
  if (vm !== "evm" || url === undefined) return contracts;
  const accounts = Array.from(holders).filter((holder) => !contracts.has(holder));
  const found = await readContracts({
    rpcUrl: url,
    accounts,
    signal: io.signal,
    onProgress: (checked) => output.showTransient(`${group(checked)}/${group(accounts.length)} holders looked up`),
  });
  return new Set([...contracts, ...found]);
}
