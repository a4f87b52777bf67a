import { execFile } from "node:child_process";
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
    return await rpc.query("/abci_info", {}, parseNodeVersion, { signal });
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

function parseNodeVersion(answer: Answer): NodeVersion {
  const response = answer.field("result").field("response");
  const version = response.optional("version")?.text();
  return {
    data: response.optional("data")?.text() ?? "",
    version: version === "" ? undefined : version,
    // Omitted if it is 0.
    lastBlockHeight: response.optional("last_block_height")?.u64() ?? 0n,
  };
}

/** Maximum time for `minitiad version`, in milliseconds. */
const timeoutMs = 5_000;

/** The `minitiad` of this machine. */
export interface LocalMinitiad {
  /** The version it reports; undefined if it was built without one, fails, or takes longer than five seconds. */
  readonly version: string | undefined;
}

/**
 * Reads the version of the `minitiad` on PATH.
 *
 * @param env environment for the search (PATH) and for the program.
 * @returns undefined if there is no `minitiad` on PATH.
 */
export function readLocalMinitiadVersion(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<LocalMinitiad | undefined> {
  return new Promise((resolve) => {
    const options = { env: { ...env }, timeout: timeoutMs, killSignal: "SIGKILL", maxBuffer: 65_536 } as const;
    execFile("minitiad", ["version"], options, (error, stdout, stderr) => {
      if (error?.code === "ENOENT") resolve(undefined);
      // Some versions of the framework print it to standard error.
      else resolve({ version: error === null ? (firstLine(stdout) ?? firstLine(stderr)) : undefined });
    });
  });
}

function firstLine(text: string): string | undefined {
  const line = text.split("\n").find((candidate) => candidate.trim() !== "");
  return line?.trim();
}

/** Result of comparing the versions of two programs; `unknown` if one does not report its own. */
export type VersionComparison = "equal" | "different" | "unknown";

/** Compares two versions as text; a leading `v` is ignored. */
export function compareVersions(one: string | undefined, other: string | undefined): VersionComparison {
  const left = normalize(one);
  const right = normalize(other);
  if (left === "" || right === "") return "unknown";
  return left === right ? "equal" : "different";
}

function normalize(version: string | undefined): string {
  return (version ?? "").trim().replace(/^v(?=\d)/, "");
}
