import { CheckError, NodeError, type ReadOptions } from "@vipscore/core";
import {
  decodeFunctionResult,
  encodeFunctionData,
  isHex,
  numberToHex,
  type Abi as ViemAbi,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  type Hex,
} from "viem";
import type { JsonRpc } from "./rpc/jsonRpc.ts";
import { vipScoreAbi } from "./vipScoreAbi.generated.ts";

type Abi = typeof vipScoreAbi;
/** A reading function of the contract. */
type ViewName = ContractFunctionName<Abi, "view" | "pure">;
type ViewArgs<Name extends ViewName> = ContractFunctionArgs<Abi, "view" | "pure", Name> & readonly unknown[];
type ViewResult<Name extends ViewName> = ContractFunctionReturnType<Abi, "view" | "pure", Name>;

/** A contract on a chain, to read from. */
export interface ContractReader {
  readonly rpc: JsonRpc;
  readonly address: Address;
}

/** Calls a reading function at a height (the newest block when absent) and decodes the answer. */
export async function callContract<const Name extends ViewName>(
  reader: ContractReader,
  functionName: Name,
  args: ViewArgs<Name>,
  options: ReadOptions = {},
): Promise<ViewResult<Name>> {
  // Without the ABI's own types, which viem cannot follow through a generic name.
  const call: { abi: ViemAbi; functionName: string; args: readonly unknown[] } = {
    abi: vipScoreAbi,
    functionName,
    args,
  };
  const data = await callRaw(reader, encodeFunctionData(call), options);
  try {
    const result: unknown = decodeFunctionResult({ ...call, data });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoded by the ABI that the type is made of
    return result as ViewResult<Name>;
  } catch (cause) {
    throw new UnreadableAnswerError(reader, functionName, data, cause);
  }
}

/** Calls with encoded arguments; the answer is not empty. */
export async function callRaw(reader: ContractReader, data: Hex, options: ReadOptions): Promise<Hex> {
  const block = options.height === undefined ? "latest" : numberToHex(options.height);
  const result = await reader.rpc.request("eth_call", [{ to: reader.address, data }, block], {
    signal: options.signal,
    attempts: "read",
  });
  if (!isHex(result)) {
    throw new NodeError(`${reader.rpc.endpoint} answered eth_call with something that is not hex`, {
      code: "NODE_BAD_RESPONSE",
      details: String(result).slice(0, 200),
    });
  }
  if (result === "0x") {
    const at = options.height === undefined ? "" : ` at height ${options.height}`;
    throw new CheckError(`no scoring contract answers at ${reader.address}${at}`, { code: "CONTRACT_NOT_FOUND" });
  }
  return result;
}

/** An answer of a contract that is not what the scoring contract's interface says. */
export class UnreadableAnswerError extends NodeError {
  override readonly name: string = "UnreadableAnswerError";

  constructor(reader: ContractReader, what: string, answer: string, cause?: unknown) {
    super(`${reader.rpc.endpoint} answered ${what} of ${reader.address} with something unreadable`, {
      code: "NODE_BAD_RESPONSE",
      details: answer.slice(0, 200),
      cause,
    });
  }
}
