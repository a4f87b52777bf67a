import type { Account, PinnedOptions } from "@vipscore/core";
import { accountOfAddress } from "./evmAddress.ts";
import { inOrder } from "./inOrder.ts";
import { readContract, type ContractReader } from "./readContract.ts";

/** Members per page, the most that our contract returns: about 2,700 gas each. */
const pageMembers = 1000n;

/** Reads all members of our contract at one height. */
export async function readMembers(
  reader: ContractReader,
  { height, signal }: PinnedOptions,
): Promise<readonly Account[]> {
  const count = await readContract(reader, "allowListCount", [], { height, signal });
  const readPage = (offset: bigint, pageSignal: AbortSignal) =>
    readContract(reader, "getAllowList", [offset, pageMembers], { height, signal: pageSignal });
  const members: Account[] = [];
  for await (const page of inOrder(offsetsBelow(count), readPage, signal)) members.push(...page.map(accountOfAddress));
  return members;
}

function* offsetsBelow(count: bigint): Generator<bigint> {
  for (let offset = 0n; offset < count; offset += pageMembers) yield offset;
}
