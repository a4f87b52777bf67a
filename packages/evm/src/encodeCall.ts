import { decodeFunctionData, encodeFunctionData, zeroAddress, type Hex } from "viem";
import { vipScoreAbi } from "@vipscore/contracts-evm/abi";
import { formatChecksummed, type CallRow, type ContractCall, type OtherCall, type ScoreContract } from "@vipscore/core";

const abi = vipScoreAbi;

type FinalizeCall = Extract<OtherCall, { kind: "finalizeStage" }>;

/**
 * Returns a call as a batch for the Transaction Builder of Safe, in JSON. Safe's app refuses it on another chain, and warns in
 * another Safe than the contract's account.
 *
 * @returns The name of the function, and the JSON.
 */
export function unsignedEvmCall({ identity, signer }: ScoreContract, call: OtherCall) {
  const data = encodeCall(call);
  const { functionName: name } = decodeFunctionData({ abi, data });
  const from = signer === undefined ? {} : { createdFromSafeAddress: formatChecksummed(signer) };
  const text = JSON.stringify({
    version: "1.0",
    chainId: identity.chainId,
    createdAt: Date.now(),
    meta: { name: `vipscore: ${name}`, description: `Scoring contract ${identity.address}`, ...from },
    transactions: [{ to: identity.address, value: "0", data }],
  });
  return { name, text };
}

export function encodeCall(call: ContractCall): Hex {
  if (call.kind === "finalizeStage") return encodeFinalize(call);
  if (call.kind !== "updateScores") return encodeControlCall(call);
  const { stage, rows } = call;
  if (call.packed === true)
    return encodeFunctionData({ abi, functionName: "updateScoresPacked", args: [stage, packScores(rows)] });
  const addrs = rows.map((row) => row.account);
  const amounts = rows.map((row) => row.score);
  return encodeFunctionData({ abi, functionName: "updateScores", args: [stage, addrs, amounts] });
}

function encodeFinalize({ stage, expected }: FinalizeCall): Hex {
  if (expected === undefined) return encodeFunctionData({ abi, functionName: "finalizeStage", args: [stage] });
  const { total, count, revision } = expected;
  return encodeFunctionData({ abi, functionName: "finalizeStageChecked", args: [stage, total, count, revision] });
}

function encodeControlCall(call: Exclude<OtherCall, FinalizeCall>): Hex {
  switch (call.kind) {
    case "addMember":
      return encodeFunctionData({ abi, functionName: "addAllowList", args: [call.account] });
    case "removeMember":
      return encodeFunctionData({ abi, functionName: "removeAllowList", args: [call.account] });
    case "setMembers":
      return encodeFunctionData({ abi, functionName: "setAllowList", args: [call.accounts] });
    case "setFinalizer":
      return encodeFunctionData({ abi, functionName: "setFinalizer", args: [call.account ?? zeroAddress] });
    case "setManagement":
      return encodeFunctionData({ abi, functionName: "setMembersCanManage", args: [call.allowed] });
    case "offerOwnership":
      return encodeFunctionData({ abi, functionName: "transferOwnership", args: [call.account] });
    case "acceptOwnership":
      break;
  }
  return encodeFunctionData({ abi, functionName: "acceptOwnership" });
}

/** Up to four neighboring accounts' scores, as `updateScoresPacked` takes them (E13 of contracts/evm/SPEC.md). */
export interface PackedScores {
  readonly key: bigint;
  readonly amounts: bigint;
}

const idsPerGroup = 4n;

/** Packs rows of different accounts by the id of each account. */
export function packScores(rows: readonly CallRow[]): readonly PackedScores[] {
  const groups = new Map<bigint, { lanes: bigint; amounts: bigint }>();
  for (const { account, score, accountId: id = 0 } of rows) {
    if (id === 0) throw new Error(`a packed batch contains ${account} without its id: pass only priced rows`);
    const number = BigInt(id) / idsPerGroup;
    const lane = BigInt(id) % idsPerGroup;
    const group = groups.get(number) ?? { lanes: 0n, amounts: 0n };
    group.lanes |= 1n << lane;
    group.amounts |= score << (64n * lane);
    groups.set(number, group);
  }
  const ascending = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  return ascending.map(([number, { lanes, amounts }]) => ({ key: 16n * number + lanes, amounts }));
}
