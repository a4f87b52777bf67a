import { encodeFunctionData, type Hex } from "viem";
import type { Account, ReadOptions } from "@vipscore/core";
import { inOrder, type Answer } from "@vipscore/core/wire";
import { decodeView, parallelPages, readRaw, type ContractReader } from "./readContract.ts";
import { vipScoreAbi } from "./vipScoreAbi.generated.ts";

/** Accounts per call: one cold slot each, about 3,000 gas with calldata and answer; minievm aborts a call at 10,000,000 gas. */
const pageAccounts = 1000;

/** Reads the ids of accounts in our contract, in the accounts' order; 0 for an unknown account. An id never changes. */
export async function readIds(
  reader: ContractReader,
  accounts: readonly Account[],
  { height, signal }: ReadOptions,
): Promise<readonly number[]> {
  const ids: number[] = [];
  const readPage = (page: readonly Account[], pageSignal: AbortSignal): Promise<readonly number[]> => {
    const data = encodeFunctionData({ abi: vipScoreAbi, functionName: "idsOf", args: [page] });
    const read = (result: Hex, answer: Answer): readonly number[] => {
      const found = decodeView("idsOf", result);
      return found?.length === page.length ? found : answer.unreadable(`the ids of ${page.length} accounts`);
    };
    return readRaw(reader, data, read, { height, signal: pageSignal });
  };
  for await (const page of inOrder(pagesOf(accounts), parallelPages, readPage, signal)) {
    ids.push(...page);
  }
  return ids;
}

function* pagesOf(accounts: readonly Account[]): Generator<readonly Account[]> {
  for (let start = 0; start < accounts.length; start += pageAccounts) yield accounts.slice(start, start + pageAccounts);
}
