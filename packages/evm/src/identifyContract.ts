import { isAddress, keccak256, numberToHex, slice, toFunctionSelector, type Address, type Hex } from "viem";
import { vipScoreAbi } from "@vipscore/contracts-evm/abi";
import { VipError, type ContractFeatures, type ReadOptions } from "@vipscore/core";
import { probeContract, type ContractReader } from "./readContract.ts";

export interface ContractFacts {
  readonly version: string | undefined;
  readonly code: string;
  readonly features: ContractFeatures;
  /** True for a proxy whose implementation can change: its own code lacks our functions and names no other code. */
  readonly isProxy: boolean;
}

/** Where a proxy has the address of its implementation (ERC-1967). */
const implementationSlot = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";

/** Where a transparent proxy has the address of its admin (ERC-1967). */
const adminSlot = "0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103";

/** The code of a minimal proxy before and after the address of its implementation (ERC-1167). */
const minimalProxy = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3$/;

/** Identifies the scoring contract at an address, by the functions that it has. @throws VipError `CONTRACT_NOT_FOUND`. */
export async function identifyContract(reader: ContractReader, options: ReadOptions): Promise<ContractFacts> {
  const code = await readCode(reader, options);
  if (code === "0x") {
    throw new VipError(`nothing is deployed at ${reader.address} on this chain`, {
      code: "CONTRACT_NOT_FOUND",
      metaMessages: ["Check the address, and that the endpoint is the rollup's."],
    });
  }
  const initStage = (await probeContract(reader, "initStage", [], options)) ?? 0n;
  const first = initStage === 0n ? undefined : await probeContract(reader, "stages", [initStage], options);
  // Any contract may return a number from initStage(); only a scoring contract has a stage of that number.
  if (first?.[0] !== initStage) {
    throw new VipError(`the contract at ${reader.address} is not a scoring contract`, { code: "CONTRACT_NOT_FOUND" });
  }
  const isComplete = missingFunctions(code).length === 0;
  const [version, behind] = await Promise.all([
    probeContract(reader, "contractVersion", [], options),
    isComplete ? undefined : readImplementation(reader, code, options),
  ]);
  const isProxy = !isComplete && behind !== undefined && !minimalProxy.test(code);
  return { version, code: keccak256(behind ?? code), features: featuresOf(behind ?? code), isProxy };
}

/** Reads the admin of a proxy, which can replace its implementation; undefined if its implementation decides who can. */
export async function readProxyAdmin(reader: ContractReader, options: ReadOptions): Promise<Address | undefined> {
  return readRoleAddress(reader, adminSlot, options);
}

function readCode({ rpc, address }: ContractReader, options: ReadOptions): Promise<Hex> {
  return rpc.read("eth_getCode", [address, blockOf(options)], (answer) => answer.hex(), options.signal);
}

/** Reads the code that a proxy runs; undefined if the contract is not a proxy. */
async function readImplementation(reader: ContractReader, code: Hex, options: ReadOptions): Promise<Hex | undefined> {
  const fixed = minimalProxy.exec(code)?.[1];
  const implementation: Address | undefined =
    fixed === undefined ? await readRoleAddress(reader, implementationSlot, options) : `0x${fixed}`;
  return implementation === undefined ? undefined : readCode({ rpc: reader.rpc, address: implementation }, options);
}

/** Reads an address from a contract's storage; undefined if there is none. */
async function readRoleAddress(
  { rpc, address }: ContractReader,
  slot: Hex,
  options: ReadOptions,
): Promise<Address | undefined> {
  const at = [address, slot, blockOf(options)];
  const stored = slice(await rpc.read("eth_getStorageAt", at, (answer) => answer.hex(), options.signal), 12);
  return isAddress(stored, { strict: false }) && BigInt(stored) !== 0n ? stored : undefined;
}

function blockOf({ height }: ReadOptions): string {
  return height === undefined ? "latest" : numberToHex(height);
}

type FunctionName = Extract<(typeof vipScoreAbi)[number], { type: "function" }>["name"];

/** The functions of the published interface that write or read scores. */
const published: readonly FunctionName[] = [
  "updateScores",
  "updateScore",
  "increaseScore",
  "decreaseScore",
  "finalizeStage",
  "addAllowList",
  "removeAllowList",
  "initStage",
  "stages",
  "scores",
  "allowList",
  "getScores",
];

const added: Readonly<Record<keyof ContractFeatures, readonly FunctionName[]>> = {
  checkedFinalize: ["getStage", "finalizeStageChecked"],
  packed: ["getStage", "idsOf", "accountCount", "getScoresFrom", "updateScoresPacked"],
  roles: [
    "owner",
    "pendingOwner",
    "transferOwnership",
    "acceptOwnership",
    "finalizer",
    "setFinalizer",
    "membersCanManage",
    "setMembersCanManage",
    "allowListCount",
    "getAllowList",
    "setAllowList",
  ],
};

/** The features of a contract, by the selectors in its code. */
export function featuresOf(code: Hex): ContractFeatures {
  const hasAll = (names: readonly FunctionName[]): boolean => missingOf(code, names).length === 0;
  return { checkedFinalize: hasAll(added.checkedFinalize), packed: hasAll(added.packed), roles: hasAll(added.roles) };
}

/** The published functions that code lacks. */
export function missingFunctions(code: Hex): readonly string[] {
  return missingOf(code, published);
}

/** Every compiler has a function's selector in the code: with a push in the dispatcher, or in a table. */
function missingOf(code: Hex, names: readonly FunctionName[]): readonly FunctionName[] {
  return names.filter((name) => !hasBytes(code, selectorOf(name)));
}

function selectorOf(name: FunctionName): string {
  const found = vipScoreAbi.find((item) => item.type === "function" && item.name === name);
  if (found?.type !== "function") throw new Error(`the ABI has no function ${name}`);
  return toFunctionSelector(found).slice(2);
}

function hasBytes(code: Hex, bytes: string): boolean {
  let at = code.indexOf(bytes);
  // A match that starts in the middle of a byte is not one.
  while (at !== -1 && at % 2 === 1) at = code.indexOf(bytes, at + 1);
  return at !== -1;
}
