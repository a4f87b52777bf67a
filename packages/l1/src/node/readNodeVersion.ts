import { NodeError, VipError } from "@vipscore/core";
import { openRest, type Answer } from "@vipscore/core/wire";

/** Data that a rollup's node reports about itself. */
export interface NodeVersion {
  /** The application's name, e.g. `minitia`. */
  readonly data: string;
  /** The node's version, e.g. `v1.2.0`; undefined if it was built without one. */
  readonly version: string | undefined;
  readonly lastBlockHeight: bigint;
}

export interface ReadNodeVersionOptions {
  /** CometBFT's RPC endpoint of the rollup, on any VM; not the JSON-RPC endpoint of an EVM rollup. */
  readonly rpcUrl: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the version that a rollup's node runs (`abci_info`), which the command-line tool `minitiad` must match.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError `NODE_UNREACHABLE`, `NODE_ERROR`, `NODE_BAD_RESPONSE`; the signal's
 * reason when aborted.
 */
export async function readNodeVersion({ rpcUrl, signal }: ReadNodeVersionOptions): Promise<NodeVersion> {
  const rpc = openRest(rpcUrl, { title: "RPC URL of the rollup" });
  try {
    return await rpc.query("/abci_info", {}, readVersion, { signal });
  } catch (error) {
    // A wrong port answers with something else, or in another protocol.
    if (!VipError.isVipError(error) || !["NODE_BAD_RESPONSE", "NODE_ERROR"].includes(error.code)) throw error;
    throw new NodeError(error.shortMessage, {
      code: error.code,
      metaMessages: [
        "Is it CometBFT's RPC endpoint? It often ends in :26657, and is not the JSON-RPC of an EVM rollup.",
      ],
      ...(error.details === undefined ? {} : { details: error.details }),
      cause: error,
    });
  }
}

function readVersion(answer: Answer): NodeVersion {
  const response = answer.field("result").field("response");
  const version = response.optional("version")?.text();
  return {
    data: response.optional("data")?.text() ?? "",
    version: version === "" ? undefined : version,
    // Omitted if it is 0.
    lastBlockHeight: response.optional("last_block_height")?.u64() ?? 0n,
  };
}
