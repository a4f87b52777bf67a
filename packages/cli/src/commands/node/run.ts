import { CheckError, InputError, type Vm } from "@vipscore/core";
import { nodeFileName, readNodeFile, removeNodeFile, writeNodeFile } from "@vipscore/core/nodeFile";
import type { RunningIndexer } from "@vipscore/indexer";
import type { LocalBridge, LocalNodeKind, Mempool } from "@vipscore/localnet";
import type { Context } from "../../context.ts";
import { sourceAt } from "../../indexer/indexerSource.ts";
import { serveIndexer, untilAborted } from "../../indexer/serveIndexer.ts";
import { optionalPackage } from "../../optionalPackage.ts";
import { isVipnodeVm, rollups } from "../../rollup/rollups.ts";
import { checkVm } from "../../settings/checkVm.ts";
import { nodeJson, nodeText, type AnyNode, type LocalL1, type NodeParts } from "./report.ts";

/** The flags of `node`. */
export interface NodeFlags {
  readonly vm: string;
  readonly kind?: LocalNodeKind;
  readonly port?: number;
  readonly mempool?: Mempool;
  readonly l1?: boolean;
  /** Port of the indexer; undefined to run without one. */
  readonly indexer?: number;
}

/** The bridge between a local rollup and the local L1. */
const localBridge: LocalBridge = { id: 1n };

/** Runs a node, its L1 and its indexer until the signal, which is the normal end of this command. */
export async function runNode(context: Context, flags: NodeFlags): Promise<void> {
  const { io, output } = context;
  const vm = checkVm({ value: flags.vm, source: "--vm" });
  const { kinds } = rollups[vm].localNodes;
  const kind = flags.kind ?? kinds[0];
  if (!kinds.includes(kind)) {
    throw new InputError(`--kind ${kind} does not run ${vm}; choose from: ${kinds.join(", ")}`);
  }
  if (flags.mempool !== undefined && kind !== "vipnode") {
    throw new InputError(`--mempool ${flags.mempool} applies to Move and Wasm nodes, not to ${vm}`);
  }
  const running = await readNodeFile(io.cwd);
  if (running !== undefined) {
    throw new CheckError(
      `a local node is already running for this folder: ${running.rpcUrl} (process ${running.pid})`,
      {
        code: "CONFIG_INVALID",
        metaMessages: [`Stop it, or run this one in another folder. The node was found in ${nodeFileName}.`],
      },
    );
  }
  const started: { readonly stop: () => Promise<void> }[] = [];
  const keep = <T extends { readonly stop: () => Promise<void> }>(part: T): T => {
    started.push(part);
    return part;
  };
  try {
    const rollup = keep(await start(context, vm, kind, flags));
    const l1 = flags.l1 === true ? keep(await startLocalL1(context)) : undefined;
    const bridgeInfo = l1 !== undefined && rollup.restUrl === undefined ? keep(await startBridgeInfo()) : undefined;
    const node = bridgeInfo === undefined ? rollup : { ...rollup, restUrl: bridgeInfo.restUrl };
    const indexer =
      flags.indexer === undefined ? undefined : keep(await startLocalIndexer(context, node, flags.indexer));
    await serve(context, { node, l1, indexer });
  } finally {
    for (const part of started.toReversed()) await part.stop();
  }
  output.note("stopped");
}

/** Lets other commands find the nodes until the signal. */
async function serve({ io, output }: Context, parts: NodeParts): Promise<void> {
  const { node, l1, indexer } = parts;
  try {
    const companions = {
      ...(l1 === undefined ? {} : { l1 }),
      ...(indexer === undefined ? {} : { indexerUrl: indexer.url }),
    };
    await writeNodeFile(io.cwd, { ...node, ...companions });
    output.print(nodeText(parts).join("\n"));
    output.json(nodeJson(parts));
    await untilAborted(io.signal, indexer);
  } finally {
    await removeNodeFile(io.cwd);
  }
}

async function start({ io, output }: Context, vm: Vm, kind: LocalNodeKind, flags: NodeFlags): Promise<AnyNode> {
  const { port = rollups[vm].localNodes.port, mempool, l1 = false } = flags;
  const { startAnvil, startHardhat, startVipnode, vipnodeBuildNotes } = await optionalPackage("@vipscore/localnet");
  if (kind === "anvil") return startAnvil({ port });
  if (!isVipnodeVm(vm)) return startHardhat({ port });
  // The port that commands connect to; the other one can be any free port.
  const ports = rollups[vm].endpoint.ofNode === "restUrl" ? { restPort: port } : { rpcPort: port };
  return startVipnode({
    vm,
    ...ports,
    ...(mempool && { mempool }),
    ...(l1 && { bridge: localBridge }),
    signal: io.signal,
    onProgress: vipnodeBuildNotes([vm], output),
  });
}

/** Keeps the index in memory, because the chain is lost on exit too. Lets any web page in development read it. */
async function startLocalIndexer(context: Context, node: AnyNode, port: number): Promise<RunningIndexer> {
  return serveIndexer(context, { source: sourceAt(node.rpcUrl, node.vm), port, corsOrigins: ["*"], pollMs: 100 });
}

async function startLocalL1({ io, output }: Context): Promise<LocalL1> {
  const { startVipnode, vipnodeBuildNotes } = await optionalPackage("@vipscore/localnet");
  const l1 = await startVipnode({
    vm: "move",
    l1: true,
    signal: io.signal,
    onProgress: vipnodeBuildNotes(["move"], output),
  });
  const { vipAddress } = l1;
  if (vipAddress === undefined) throw new Error("vipnode did not report the address of its VIP module");
  return { ...l1, vipAddress };
}

/** A local EVM node has no REST endpoint that names its bridge. */
async function startBridgeInfo(): Promise<{ readonly restUrl: string; readonly stop: () => Promise<void> }> {
  const { serveBridgeInfo } = await optionalPackage("@vipscore/localnet");
  const server = await serveBridgeInfo(localBridge);
  return { restUrl: server.url, stop: () => server.close() };
}
