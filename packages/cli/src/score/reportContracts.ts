import { count, group } from "@vipscore/core/values";
import { spellAddress } from "../nft/nftAddress.ts";
import type { Output } from "../output/output.ts";

/** Maximum number of contracts listed for people; `--json` has all. */
const contractsShown = 5;

/** A holder that is a contract or an object. */
export interface ContractHolder {
  readonly address: string;
  readonly tokens: number;
}

/** Returns the contracts with their tokens of all collections, in descending order of tokens. */
export function listContracts(
  contracts: ReadonlySet<`0x${string}`>,
  collections: readonly { readonly holders: ReadonlyMap<`0x${string}`, number> }[],
): readonly ContractHolder[] {
  return Array.from(contracts, (owner) => ({
    address: spellAddress(owner),
    tokens: collections.reduce((sum, { holders }) => sum + (holders.get(owner) ?? 0), 0),
  })).sort((a, b) => b.tokens - a.tokens || (a.address < b.address ? -1 : 1));
}

/** Reports which holders are contracts, and whether they were left out. */
export function reportContracts(output: Output, contracts: readonly ContractHolder[], areLeftOut: boolean): void {
  if (contracts.length === 0) return;
  const tokens = contracts.reduce((sum, contract) => sum + contract.tokens, 0);
  const done = areLeftOut ? "left out" : "scored like accounts; --without-contracts leaves them out";
  output.warn(`contracts or objects hold ${count(tokens, "token")}: ${count(contracts.length, "holder")}, ${done}`);
  for (const contract of contracts.slice(0, contractsShown)) {
    output.note(`  ${contract.address}  ${count(contract.tokens, "token")}`);
  }
  const left = contracts.length - contractsShown;
  if (left > 0) output.note(`  and ${group(left)} more; --json lists all`);
}
