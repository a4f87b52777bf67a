import { CheckError, type ReadOptions } from "@vipscore/core";
import { absentIf, isCallFailure, type Answer, type JsonRpc } from "@vipscore/core/wire";
import {
  decodeFunctionResult,
  encodeFunctionData,
  numberToHex,
  type Abi as ViemAbi,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  type Hex,
} from "viem";
import { vipScoreAbi } from "./vipScoreAbi.generated.ts";

type Abi = typeof vipScoreAbi;
/** A reading function of the contract. */
type ViewName = ContractFunctionName<Abi, "view" | "pure">;
type ViewArgs<Name extends ViewName> = ContractFunctionArgs<Abi, "view" | "pure", Name> & readonly unknown[];
type ViewResult<Name extends ViewName> = ContractFunctionReturnType<Abi, "view" | "pure", Name>;

/** Without the ABI's own types, which viem cannot follow through a generic name. */
const abi: ViemAbi = vipScoreAbi;

/** A contract on a chain, to read from. */
export interface ContractReader {
  readonly rpc: JsonRpc;
  readonly address: Address;
}

/** Calls a reading function at a height and decodes the answer. Default: the newest block. */
export function callContract<const Name extends ViewName>(
  reader: ContractReader,
  functionName: Name,
  args: ViewArgs<Name>,
  options: ReadOptions = {},
): Promise<ViewResult<Name>> {
  const data = encodeFunctionData<ViemAbi, string>({ abi, functionName, args });
  const read = (result: Hex, answer: Answer): ViewResult<Name> =>
    decodeView(functionName, result) ?? answer.unreadable(`a result of ${functionName}`);
  return callRaw(reader, data, read, options);
}

/**
 * Calls a reading function of a contract that may be any: undefined where it does not have the function, or answers something
 * else. A node that fails is not an answer.
 */
export function probeContract<const Name extends ViewName>(
  reader: ContractReader,
  functionName: Name,
  args: ViewArgs<Name>,
  options: ReadOptions,
): Promise<ViewResult<Name> | undefined> {
  const data = encodeFunctionData<ViemAbi, string>({ abi, functionName, args });
  const asked = callRaw(reader, data, (result) => decodeView(functionName, result), options);
  return absentIf((error) => isCallFailure(error) || isNoContract(error), asked);
}

function isNoContract(error: unknown): boolean {
  return error instanceof CheckError && error.code === "CONTRACT_NOT_FOUND";
}

/**
 * Calls with encoded arguments.
 *
 * @param read - Reads the result, which is not empty.
 * @throws CheckError `CONTRACT_NOT_FOUND` for an empty one.
 */
export function callRaw<T>(
  { rpc, address }: ContractReader,
  data: Hex,
  read: (result: Hex, answer: Answer) => T,
  { height, signal }: ReadOptions,
): Promise<T> {
  const block = height === undefined ? "latest" : numberToHex(height);
  const readResult = (answer: Answer): T => {
    const result = answer.hex();
    if (result !== "0x") return read(result, answer);
    const at = height === undefined ? "" : ` at height ${height}`;
    throw new CheckError(`no scoring contract answers at ${address}${at}`, { code: "CONTRACT_NOT_FOUND" });
  };
  return rpc.read("eth_call", [{ to: address, data }, block], readResult, signal);
}

/** Decodes what a reading function returned; undefined where the data is something else. */
export function decodeView<const Name extends ViewName>(functionName: Name, data: Hex): ViewResult<Name> | undefined {
  try {
    const result: unknown = decodeFunctionResult<ViemAbi, string>({ abi, functionName, data });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoded by the ABI that the type is made of
    return result as ViewResult<Name>;
  } catch {
    return undefined;
  }
}
