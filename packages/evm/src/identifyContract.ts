import { numberToHex } from "viem";
import { CheckError, type ReadOptions } from "@vipscore/core";
import { probeContract, type ContractReader } from "./readContract.ts";

/**
 * Identifies the scoring contract at an address: returns the version of ours, or undefined for one that has only the
 * published interface.
 *
 * @throws CheckError `CONTRACT_NOT_FOUND` when the address has no code or another contract.
 */
export async function identifyContract(reader: ContractReader, options: ReadOptions): Promise<string | undefined> {
  const { rpc, address } = reader;
  const block = options.height === undefined ? "latest" : numberToHex(options.height);
  const code = await rpc.read("eth_getCode", [address, block], (answer) => answer.hex(), options.signal);
  if (code === "0x") {
    throw new CheckError(`nothing is deployed at ${address} on this chain`, {
      code: "CONTRACT_NOT_FOUND",
      metaMessages: ["Check the address, and that the endpoint is the rollup's."],
    });
  }
  const initStage = (await probeContract(reader, "initStage", [], options)) ?? 0n;
  const first = initStage === 0n ? undefined : await probeContract(reader, "stages", [initStage], options);
  // Any contract may return a number from initStage(); only a scoring contract has a stage of that number.
  if (first?.[0] !== initStage) {
    throw new CheckError(`the contract at ${address} is not a scoring contract`, { code: "CONTRACT_NOT_FOUND" });
  }
  return probeContract(reader, "contractVersion", [], options);
}
