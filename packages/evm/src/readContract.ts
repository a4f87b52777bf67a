import {
  decodeFunctionResult,
  encodeFunctionData,
  numberToHex,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  type Hex,
  type Abi as ViemAbi,
} from "viem";
import { vipScoreAbi } from "@vipscore/contracts-evm/abi";
import { VipError, type ReadOptions } from "@vipscore/core";
import { isCallFailure, undefinedIf, type Answer, type JsonRpc } from "@vipscore/core/wire";

type Abi = typeof vipScoreAbi;
type ViewName = ContractFunctionName<Abi, "view" | "pure">;
type ViewArgs<Name extends ViewName> = ContractFunctionArgs<Abi, "view" | "pure", Name> & readonly unknown[];
type ViewResult<Name extends ViewName> = ContractFunctionReturnType<Abi, "view" | "pure", Name>;

/** Untyped: viem cannot infer the ABI's types through a generic name. */
const abi: ViemAbi = vipScoreAbi;

export interface ContractReader {
  readonly rpc: JsonRpc;
  readonly address: Address;
}

/** Reads what a view function returns at a height. Default: the newest block. */
export function readContract<const Name extends ViewName>(
  reader: ContractReader,
  functionName: Name,
  args: ViewArgs<Name>,
  options: ReadOptions = {},
): Promise<ViewResult<Name>> {
  const data = encodeFunctionData<ViemAbi, string>({ abi, functionName, args });
  const read = (result: Hex, answer: Answer): ViewResult<Name> =>
    decodeView(functionName, result) ?? answer.unreadable(`a result of ${functionName}`);
  return readRaw(reader, data, read, options);
}

/**
 * Reads what a view function of an unknown contract returns; undefined if the contract does not have the function or returns
 * something else. Throws if the node fails.
 */
export function probeContract<const Name extends ViewName>(
  reader: ContractReader,
  functionName: Name,
  args: ViewArgs<Name>,
  options: ReadOptions,
): Promise<ViewResult<Name> | undefined> {
  const data = encodeFunctionData<ViemAbi, string>({ abi, functionName, args });
  const asked = readRaw(reader, data, (result) => decodeView(functionName, result), options);
  return undefinedIf((error) => isCallFailure(error) || isNoContract(error), asked);
}

function isNoContract(error: unknown): boolean {
  return error instanceof VipError && error.code === "CONTRACT_NOT_FOUND";
}

/** Reads what a call with encoded arguments returns. @throws VipError `CONTRACT_NOT_FOUND` for an empty result. */
export function readRaw<T>(
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
    throw new VipError(`no scoring contract answers at ${address}${at}`, { code: "CONTRACT_NOT_FOUND" });
  };
  return rpc.read("eth_call", [{ to: address, data }, block], readResult, signal);
}

/** Decodes what a view function returned; undefined if the data is something else. */
export function decodeView<const Name extends ViewName>(functionName: Name, data: Hex): ViewResult<Name> | undefined {
  try {
    const result: unknown = decodeFunctionResult<ViemAbi, string>({ abi, functionName, data });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoded by the ABI that the type is derived from
    return result as ViewResult<Name>;
  } catch {
    return undefined;
  }
}
