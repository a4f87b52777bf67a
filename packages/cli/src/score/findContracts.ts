import type { Vm } from "@vipscore/core";
import { group } from "@vipscore/core/values";
import type { Context } from "../context.ts";
import type { RollupSource } from "../nft/rollupSource.ts";
import { rollups } from "../rollup/rollups.ts";
import { readContracts } from "./readContracts.ts";

/** Length of `0x` and the digits of 32 bytes. */
const longLength = 66;

/** Returns false for an EVM rollup without an endpoint, where contracts cannot be distinguished from accounts. */
export function areContractsKnown({ vm, url }: RollupSource): boolean {
  return haveLongAddresses(vm) || url !== undefined;
}

function haveLongAddresses(vm: Vm): boolean {
  return rollups[vm].accountBytes.includes(32);
}

/**
 * Finds the holders that are contracts. A 32-byte address is a contract on Wasm and an object on Move, where accounts have 20
 * bytes: no request is needed. On EVM all have 20 bytes, so this requests the code of each.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError.
 */
export async function findContracts(
  { io, output }: Context,
  { vm, url }: RollupSource,
  holders: ReadonlySet<`0x${string}`>,
): Promise<ReadonlySet<`0x${string}`>> {
  const contracts = new Set(Array.from(holders).filter((holder) => holder.length === longLength));
  if (haveLongAddresses(vm) || url === undefined) return contracts;
  const accounts = Array.from(holders).filter((holder) => !contracts.has(holder));
  const found = await readContracts({
    rpcUrl: url,
    accounts,
    signal: io.signal,
    onProgress: (checked) => output.showTransient(`${group(checked)}/${group(accounts.length)} holders looked up`),
  });
  return new Set([...contracts, ...found]);
}
