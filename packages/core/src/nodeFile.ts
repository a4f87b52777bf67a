import { mkdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { vms, type Vm } from "./contractIdentity.ts";
import { fileUnwritable, systemErrorCode } from "./errors/inputError.ts";
import { VipError } from "./errors/vipError.ts";
import { count, fields, matching, oneOf, optional, text } from "./field.ts";
import { ifExists, parseJson, readFileText } from "./readJsonFile.ts";
import { writeWholeFile } from "./writeWholeFile.ts";

/** Contents of `.vipscore/node.json`, about a running local node. It holds no keys. */
export interface NodeFile {
  readonly vm: Vm;
  /** RPC endpoint on 127.0.0.1. */
  readonly rpcUrl: string;
  /** REST endpoint on 127.0.0.1; on EVM only next to a local L1, and only with the rollup's bridge. */
  readonly restUrl?: string | undefined;
  /** The chain ID in the chain's own form: decimal on EVM, text elsewhere. */
  readonly chainId: string;
  /** The chain next to the node that imitates Initia's L1. */
  readonly l1?: L1Endpoint | undefined;
  /** The NFT indexer API of this chain, on 127.0.0.1. */
  readonly indexerUrl?: string | undefined;
  /** The process that the node runs with. */
  readonly pid: number;
}

/** Endpoint and VIP module of a local L1. */
export interface L1Endpoint {
  /** REST endpoint on 127.0.0.1. */
  readonly restUrl: string;
  /** Address of the module `vip`, in hex. */
  readonly vipAddress: string;
}

/** Path of the file, relative to the folder where the node was started. */
export const nodeFileName = ".vipscore/node.json";

/** A planted file must not send keys and scores to another machine. */
const localUrl = matching(/^http:\/\/127\.0\.0\.1:\d{1,5}\/?$/, "a URL of this machine, such as http://127.0.0.1:8545");

const readNode = fields({
  vm: oneOf(vms),
  rpcUrl: localUrl,
  restUrl: optional(localUrl),
  chainId: text,
  l1: optional(
    fields({ restUrl: localUrl, vipAddress: matching(/^0x[0-9a-f]{1,64}$/, "0x and at most 64 hex digits") }),
  ),
  indexerUrl: optional(localUrl),
  pid: (field) => count(field) || field.failExpected("the ID of a process"),
  folder: text,
});

/**
 * Writes `.vipscore/node.json` under `dir` for a node that runs as long as this process, so that other commands find
 * it. An existing file is replaced atomically: a reader sees the old or the new file, never a part.
 * @throws FILE_UNWRITABLE
 */
export async function writeNodeFile(dir: string, node: Omit<NodeFile, "pid">): Promise<void> {
  const { vm, rpcUrl, restUrl, chainId, l1, indexerUrl } = node;
  const l1Only = l1 && { restUrl: l1.restUrl, vipAddress: l1.vipAddress };
  const file: NodeFile = { vm, rpcUrl, restUrl, chainId, pid: process.pid, l1: l1Only, indexerUrl };
  const path = nodeFilePath(dir);
  try {
    await mkdir(dirname(path), { recursive: true });
    const own = { ...file, folder: await folderIdentity(dirname(path)) };
    await writeWholeFile(path, `${JSON.stringify(own, undefined, 2)}\n`);
  } catch (cause) {
    throw fileUnwritable(path, cause);
  }
}

/**
 * Reads `.vipscore/node.json` under `dir`. Undefined if there is none, if its process is gone, or if it was not written into this
 * folder, but came with a repository.
 * @throws CONFIG_INVALID if the file is damaged or points to another machine; FILE_UNREADABLE.
 */
export async function readNodeFile(dir: string): Promise<NodeFile | undefined> {
  const path = nodeFilePath(dir);
  const json = await ifExists(readFileText(path, path));
  if (json === undefined) return undefined;
  const { folder, ...file } = readNode(parseJson(json, path, damagedNodeFile));
  return isAlive(file.pid) && folder === (await folderIdentity(dirname(path))) ? file : undefined;
}

/** Removes `.vipscore/node.json` under `dir` if this process wrote it; another node's file, or a damaged one, stays. */
export async function removeNodeFile(dir: string): Promise<void> {
  const file = await readNodeFile(dir).catch(() => undefined);
  if (file?.pid === process.pid) await rm(nodeFilePath(dir), { force: true });
}

function nodeFilePath(dir: string): string {
  return join(dir, nodeFileName);
}

function damagedNodeFile(place: string, problem: string): VipError {
  return new VipError(`${place} ${problem}`, {
    code: "CONFIG_INVALID",
    metaMessages: [
      { code: "start-local-node", text: "Remove the file and start the local node again, which writes it." },
    ],
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists but belongs to another user.
    return systemErrorCode(error) === "EPERM";
  }
}

/**
 * Returns a text that a folder's copy does not have: a file that names its folder was not brought there with a repository.
 *
 * @throws Error of the system.
 */
export async function folderIdentity(path: string): Promise<string> {
  const { ino, birthtimeNs } = await stat(path, { bigint: true });
  return `${ino} ${birthtimeNs}`;
}
