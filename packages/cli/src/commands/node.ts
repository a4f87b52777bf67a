import { Option, type Command } from "commander";
import { formatBech32, InputError, parseAccount, VipError, type Vm } from "@vipscore/core";
import { nodeFileName, readNodeFile, removeNodeFile, writeNodeFile } from "@vipscore/core/nodeFile";
import { vms } from "@vipscore/core/values";
import type { RunningIndexer } from "@vipscore/indexer";
import type { CosmosNode, LocalBridge, LocalNode, Mempool } from "@vipscore/localnet";
import type { Context } from "../context.ts";
import { optionalPackage } from "../optionalPackage.ts";
import { parsePort, withOutputOptions, withPackage } from "../options.ts";
import { isVipnodeVm, rollups } from "../rollup/rollups.ts";
import { checkVm } from "../settings/readSettings.ts";
import { serveIndexer, sourceAt, untilAborted } from "./indexer/run.ts";

export function addNode(command: Command, context: Context): void {
  const defaultPorts = vms.map((vm) => `${rollups[vm].name} ${rollups[vm].localNode.port}`).join(", ");
  withPackage(withOutputOptions(command), "@vipscore/localnet")
    .option("--vm <vm>", `the VM: ${vms.join(", ")}`, "evm")
    .option(
      "--port <port>",
      `port of the RPC on 127.0.0.1 (default: ${defaultPorts}); 0 picks a free port`,
      parsePort("--port"),
    )
    .addOption(
      new Option(
        "--mempool <kind>",
        "Move and Wasm: the mempool of nodes on initia v1.4 (initia) or v1.2 (classic)",
      ).choices(["initia", "classic"]),
    )
    .option("--l1", "also run a chain that imitates Initia's L1, with a stage that you can set")
    .addOption(
      new Option(
        "--indexer [port]",
        "also serve the chain's NFTs through the NFT indexer API, on this port of 127.0.0.1 (needs @vipscore/indexer)",
      )
        .argParser(parsePort("--indexer"))
        .preset("8080"),
    )
    .addHelpText(
      "after",
      "\nExamples:\n  $ vipscore node --port 0\n  $ vipscore node --vm move --l1\n  $ vipscore node --indexer",
    )
    .action((flags: NodeFlags) => runNode(context, flags));
}

interface NodeFlags {
  readonly vm: string;
  readonly port?: number;
  readonly mempool?: Mempool;
  readonly l1?: boolean;
  readonly indexer?: number;
}

const localBridge: LocalBridge = { id: 1n };

async function runNode(context: Context, flags: NodeFlags): Promise<void> {
  const { io, output } = context;
  const vm = checkVm({ value: flags.vm, source: "--vm" });
  if (flags.mempool !== undefined && !isVipnodeVm(vm)) {
    throw new InputError(`--mempool ${flags.mempool} applies to Move and Wasm nodes, not to ${vm}`);
  }
  const running = await readNodeFile(io.cwd);
  if (running !== undefined) {
    throw new VipError(`a local node is already running for this folder: ${running.rpcUrl} (process ${running.pid})`, {
      code: "CONFIG_INVALID",
      metaMessages: [`Stop it, or run this one in another folder. The node was found in ${nodeFileName}.`],
    });
  }
  const started: { readonly stop: () => Promise<void> }[] = [];
  const keep = <T extends { readonly stop: () => Promise<void> }>(part: T): T => {
    started.push(part);
    return part;
  };
  try {
    const rollup = keep(await start(context, vm, flags));
    const l1 = flags.l1 === true ? keep(await startLocalL1(context)) : undefined;
    const bridgeInfo = l1 !== undefined && rollup.restUrl === undefined ? keep(await startBridgeInfo()) : undefined;
    const node = bridgeInfo === undefined ? rollup : { ...rollup, restUrl: bridgeInfo.restUrl };
    const source = sourceAt(node.rpcUrl, rollups[node.vm].protocols[0]);
    // Keeps the index in memory, because the chain is lost on exit too. Lets any web page in development read it.
    const ofIndexer = { source, port: flags.indexer, corsOrigins: ["*"], pollMs: 100 };
    const indexer = flags.indexer === undefined ? undefined : keep(await serveIndexer(context, ofIndexer));
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
    await writeNodeFile(io.cwd, { ...node, ...(l1 && { l1 }), ...(indexer && { indexerUrl: indexer.url }) });
    output.print(nodeText(parts).join("\n"));
    output.json(nodeJson(parts));
    await untilAborted(io.signal, indexer);
  } finally {
    await removeNodeFile(io.cwd);
  }
}

async function start({ io, output }: Context, vm: Vm, flags: NodeFlags): Promise<AnyNode> {
  const { port = rollups[vm].localNode.port, mempool, l1 = false } = flags;
  const { startHardhat, startVipnode, vipnodeBuildNotes } = await optionalPackage("@vipscore/localnet");
  if (!isVipnodeVm(vm)) return startHardhat({ port });
  return startVipnode({
    vm,
    // The port that commands connect to; that of REST can be any free port.
    rpcPort: port,
    ...(mempool && { mempool }),
    ...(l1 && { bridge: localBridge }),
    signal: io.signal,
    onProgress: vipnodeBuildNotes([vm], output),
  });
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

type AnyNode = LocalNode & { readonly restUrl?: string };

/** A local chain that imitates Initia's L1. */
type LocalL1 = CosmosNode & { readonly vipAddress: string };

interface NodeParts {
  readonly node: AnyNode;
  readonly l1: LocalL1 | undefined;
  readonly indexer: RunningIndexer | undefined;
}

function nodeText({ node, l1, indexer }: NodeParts): readonly string[] {
  const { vm, rpcUrl, restUrl, chainId, accounts } = node;
  const { kind } = rollups[vm].localNode;
  // Hardhat has no REST: what answers there is the rollup's bridge.
  const rest = kind === "hardhat" ? "the bridge's REST" : "REST";
  const where = restUrl === undefined ? rpcUrl : `${rpcUrl} (RPC) and ${restUrl} (${rest})`;
  return [
    `${kind} listens on ${where}, chain ID ${chainId}`,
    ...(l1 === undefined
      ? []
      : [`L1 listens on ${l1.restUrl} (REST), chain ID ${l1.chainId}, module vip at ${l1.vipAddress}`]),
    ...(indexer === undefined ? [] : [`the NFT indexer API is at ${indexer.url}`]),
    ...accounts.flatMap(({ name, address, privateKey }) => {
      const isBech32 = rollups[vm].addressForm === "bech32";
      const shown = isBech32 ? formatBech32(parseAccount(address, { accountBytes: [20] })) : address;
      return [`${name.padEnd(9)} ${shown}`, `  key     ${privateKey}`];
    }),
    "The accounts are funded. Everyone knows their PUBLIC test keys: never use them for real funds.",
    "Press Ctrl-C to stop it; the chain's state is lost.",
  ];
}

function nodeJson({ node, l1, indexer }: NodeParts) {
  const { vm, rpcUrl, restUrl, chainId, accounts } = node;
  return {
    command: "node",
    vm,
    kind: rollups[vm].localNode.kind,
    rpcUrl,
    ...(restUrl === undefined ? {} : { restUrl }),
    chainId,
    accounts: accounts.map(({ name, address }) => ({ name, address })),
    ...(l1 === undefined ? {} : { l1: { restUrl: l1.restUrl, chainId: l1.chainId, vipAddress: l1.vipAddress } }),
    ...(indexer === undefined ? {} : { indexerUrl: indexer.url }),
  };
}
