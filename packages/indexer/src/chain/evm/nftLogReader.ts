import { logReader, type EvmRpc, type LogReader } from "@vipscore/blocks/evm";
import { maxChanges } from "../nftChain.ts";
import { nftFilters, readNftLog, type NftLog } from "./nftLog.ts";

/**
 * Creates a reader of the logs about tokens.
 *
 * @param widest - Maximum blocks per request.
 */
export function nftLogReader(rpc: EvmRpc, widest: number): LogReader<NftLog> {
  return logReader(rpc, { filters: nftFilters, keep: readNftLog, widest, maxLogs: maxChanges });
}
