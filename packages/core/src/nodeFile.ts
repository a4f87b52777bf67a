import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Vm } from "./contractIdentity.ts";
import { fileUnwritable } from "./errors/fileUnwritable.ts";
import { systemErrorCode } from "./errors/systemErrorCode.ts";
import { VipError } from "./errors/vipError.ts";
import { isObject } from "./wire/isObject.ts";
import { writeWholeFile } from "./writeWholeFile.ts";

/** Contents of `.vipscore/node.json`, about a running local node. It holds no keys. */
export interface NodeFile {
  readonly vm: Vm;
  readonly kind: string;
  /** RPC endpoint on 127.0.0.1. */
  readonly rpcUrl: string;
  /** REST endpoint on 127.0.0.1; on EVM only next to a local L1, and only with the rollup's bridge. */
  readonly restUrl?: string;
  /** The chain ID in the chain's own form: decimal on EVM, text elsewhere. */
  readonly chainId: string;
  /** The chain next to the node that imitates Initia's L1. */
  readonly l1?: L1Endpoint;
  /** The NFT indexer API of this chain, on 127.0.0.1. */
  readonly indexerUrl?: string;
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

const vms: readonly Vm[] = ["evm", "move", "wasm"];

/**
 * Writes `.vipscore/node.json` under `dir` for a node that runs as long as this process, so that other commands find
 * it. An existing file is replaced atomically: a reader sees the old or the new file, never a part.
 * @throws FILE_UNWRITABLE
 */
export async function writeNodeFile(dir: string, node: Omit<NodeFile, "pid">): Promise<void> {
  const { vm, kind, rpcUrl, restUrl, chainId, l1, indexerUrl } = node;
  const rest = restUrl === undefined ? {} : { restUrl };
  const l1Field = l1 === undefined ? {} : { l1: { restUrl: l1.restUrl, vipAddress: l1.vipAddress } };
  const indexer = indexerUrl === undefined ? {} : { indexerUrl };
  const file: NodeFile = { vm, kind, rpcUrl, ...rest, chainId, pid: process.pid, ...l1Field, ...indexer };
  const path = nodeFilePath(dir);
  try {
    await mkdir(join(path, ".."), { recursive: true });
    await writeWholeFile(path, `${JSON.stringify(file, undefined, 2)}\n`);
  } catch (cause) {
    throw fileUnwritable(path, cause);
  }
}

/**
 * Reads `.vipscore/node.json` under `dir`. Undefined if there is none, or if its process is gone.
 * @throws CONFIG_INVALID if the file is damaged or points to another machine.
 */
export async function readNodeFile(dir: string): Promise<NodeFile | undefined> {
  const path = nodeFilePath(dir);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw damaged(path, "cannot be read", error);
  }
  const file = parseNodeFile(path, text);
  return isAlive(file.pid) ? file : undefined;
}

/** Removes `.vipscore/node.json` under `dir` if this process wrote it; another node's file, or a damaged one, stays. */
export async function removeNodeFile(dir: string): Promise<void> {
  const file = await readNodeFile(dir).catch(() => undefined);
  if (file?.pid === process.pid) await rm(nodeFilePath(dir), { force: true });
}

function nodeFilePath(dir: string): string {
  return join(dir, nodeFileName);
}

function parseNodeFile(path: string, text: string): NodeFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damaged(path, "is not JSON", error);
  }
  const { vm, kind, rpcUrl, restUrl, chainId, pid, l1, indexerUrl } = fieldsOf(value);
  const knownVm = vms.find((known) => known === vm);
  if (knownVm === undefined) throw damaged(path, "has no usable `vm`");
  if (typeof kind !== "string" || kind === "") throw damaged(path, "has no usable `kind`");
  if (!isLocal(rpcUrl)) throw damaged(path, "has no `rpcUrl` on 127.0.0.1");
  if (restUrl !== undefined && !isLocal(restUrl)) throw damaged(path, "has a `restUrl` that is not on 127.0.0.1");
  if (indexerUrl !== undefined && !isLocal(indexerUrl)) {
    throw damaged(path, "has an `indexerUrl` that is not on 127.0.0.1");
  }
  if (typeof chainId !== "string" || chainId === "") throw damaged(path, "has no usable `chainId`");
  if (typeof pid !== "number" || !Number.isInteger(pid) || pid < 1) throw damaged(path, "has no usable `pid`");
  const rest = restUrl === undefined ? {} : { restUrl };
  const l1Field = l1 === undefined ? {} : { l1: parseL1(path, l1) };
  const indexer = indexerUrl === undefined ? {} : { indexerUrl };
  return { vm: knownVm, kind, rpcUrl, ...rest, chainId, pid, ...l1Field, ...indexer };
}

function parseL1(path: string, value: unknown): L1Endpoint {
  const { restUrl, vipAddress } = fieldsOf(value);
  if (!isLocal(restUrl)) throw damaged(path, "has an `l1` without a `restUrl` on 127.0.0.1");
  if (typeof vipAddress !== "string" || !/^0x[0-9a-f]{1,64}$/.test(vipAddress)) {
    throw damaged(path, "has an `l1` without a usable `vipAddress`");
  }
  return { restUrl, vipAddress };
}

/** A planted file must not send keys and scores to another machine. */
function isLocal(url: unknown): url is string {
  return typeof url === "string" && /^http:\/\/127\.0\.0\.1:\d{1,5}\/?$/.test(url);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function damaged(path: string, what: string, cause?: unknown): VipError {
  return new VipError(`${path} ${what}`, {
    code: "CONFIG_INVALID",
    metaMessages: ["Remove the file and start the local node again; `vipscore node` writes it."],
    ...(cause === undefined ? {} : { cause }),
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
