import { CheckError, knownVersion, type ReadOptions } from "@vipscore/core";
import { numberToHex } from "viem";
import { callContract, UnreadableAnswerError, type ContractReader } from "./callContract.ts";
import { isCallFailure } from "./rpc/jsonRpc.ts";

/**
 * Finds out which scoring contract is at an address: the version of ours, or undefined for one that has only the
 * published interface.
 *
 * @throws CheckError `CONTRACT_NOT_FOUND` when there is no code, or another contract.
 */
export async function identifyContract(reader: ContractReader, options: ReadOptions): Promise<string | undefined> {
  const { rpc, address } = reader;
  const block = options.height === undefined ? "latest" : numberToHex(options.height);
  const code = await rpc.request("eth_getCode", [address, block], { signal: options.signal, attempts: "read" });
  if (typeof code !== "string" || /^(0x)?$/.test(code)) {
    throw new CheckError(`nothing is deployed at ${address} on this chain`, {
      code: "CONTRACT_NOT_FOUND",
      metaMessages: ["Check the address, and that the endpoint is the rollup's."],
    });
  }
  const first = await answerOf(async () => {
    const initStage = await callContract(reader, "initStage", [], options);
    const [number] = await callContract(reader, "stages", [initStage], options);
    return { initStage, number };
  });
  // Any contract may answer a number to initStage(); only a scoring contract has a stage of that number.
  if (first === undefined || first.initStage === 0n || first.number !== first.initStage) {
    throw new CheckError(`the contract at ${address} is not a scoring contract`, { code: "CONTRACT_NOT_FOUND" });
  }
  return knownVersion(await answerOf(() => callContract(reader, "contractVersion", [], options)));
}

/** What a contract answers; undefined where it has no such function. A node that fails is not an answer. */
async function answerOf<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    const isEmpty = error instanceof CheckError && error.code === "CONTRACT_NOT_FOUND";
    if (isCallFailure(error) || isEmpty || error instanceof UnreadableAnswerError) return undefined;
    throw error;
  }
}
