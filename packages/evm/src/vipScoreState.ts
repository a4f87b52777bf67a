import { zeroAddress, type Address } from "viem";
import type { Account, ContractControl, PinnedOptions, Stage, StageInfo } from "@vipscore/core";
import { inOrder } from "@vipscore/core/wire";
import { accountOfAddress } from "./evmAddress.ts";
import { readProxyAdmin } from "./identifyContract.ts";
import { parallelPages, readContract, type ContractReader } from "./readContract.ts";

/** Members per page, the most that our contract returns: about 2,700 gas each. */
const pageMembers = 1000n;

/** Reads a stage of our contract in one call; undefined if it was never created. */
export async function readStageInfo(
  reader: ContractReader,
  stage: Stage,
  options: PinnedOptions,
): Promise<StageInfo | undefined> {
  const info = await readContract(reader, "getStage", [stage], options);
  if (info.stage === 0n) return undefined;
  const { totalScore: total, scoreCount: count, revision, isFinalized } = info;
  return { stage, total, isFinalized, count, revision };
}

/** Reads the roles of our contract, which may run behind a proxy, at one height. */
export async function readControl(
  reader: ContractReader,
  isProxy: boolean,
  options: PinnedOptions,
): Promise<ContractControl> {
  const [owner, pending, finalizer, othersManage, codeAdmin] = await Promise.all([
    readContract(reader, "owner", [], options),
    readContract(reader, "pendingOwner", [], options),
    readContract(reader, "finalizer", [], options),
    readContract(reader, "membersCanManage", [], options),
    isProxy ? readCodeAdmin(reader, options) : undefined,
  ]);
  return {
    owner: accountOfAddress(owner),
    pendingOwner: namedAccount(pending),
    finalizer: namedAccount(finalizer),
    othersManage,
    codeAdmin,
  };
}

async function readCodeAdmin(reader: ContractReader, options: PinnedOptions): Promise<Account | "implementation"> {
  const admin = await readProxyAdmin(reader, options);
  return admin === undefined ? "implementation" : accountOfAddress(admin);
}

function namedAccount(address: Address): Account | undefined {
  return address === zeroAddress ? undefined : accountOfAddress(address);
}

/** Reads all members of our contract at one height. */
export async function readMembers(
  reader: ContractReader,
  { height, signal }: PinnedOptions,
): Promise<readonly Account[]> {
  const count = await readContract(reader, "allowListCount", [], { height, signal });
  const readPage = (offset: bigint, pageSignal: AbortSignal) =>
    readContract(reader, "getAllowList", [offset, pageMembers], { height, signal: pageSignal });
  const members: Account[] = [];
  for await (const page of inOrder(offsetsBelow(count), parallelPages, readPage, signal))
    members.push(...page.map(accountOfAddress));
  return members;
}

function* offsetsBelow(count: bigint): Generator<bigint> {
  for (let offset = 0n; offset < count; offset += pageMembers) yield offset;
}
