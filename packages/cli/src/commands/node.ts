import { CheckError, formatBech32, InputError, parseAccount, type Vm } from "@vipscore/core";
import {
  nodeFileName,
  readNodeFile,
  removeNodeFile,
  startAnvil,
  startHardhat,
  startVipnode,
  writeNodeFile,
  type CosmosNode,
  type LocalNode,
  type LocalNodeKind,
} from "@vipscore/localnet";
import { Option, type Command } from "commander";
import { withOutputOptions } from "../commandOptions.ts";
import type { Context } from "../context.ts";
import { vipnodeBuildNotes } from "../output/vipnodeBuildNotes.ts";
import { rollups, vms } from "../rollup/rollups.ts";
import { checkVm } from "../settings/findVm.ts";

interface NodeFlags {
  readonly vm: string;
  readonly kind?: LocalNodeKind;
  readonly port?: number;
  readonly l1?: boolean;
}

/** The nodes of each VM, the usual one first, with the port that people know of its kind. */
const kinds: Readonly<Record<Vm, { readonly names: readonly LocalNodeKind[]; readonly port: number }>> = {
  evm: { names: ["hardhat", "anvil"], port: 8545 },
  move: { names: ["vipnode"], port: 1317 },
  wasm: { names: ["vipnode"], port: 26657 },
};

/** Adds `node`. */
export function addNode(program: Command, context: Context): void {
  withOutputOptions(program.command("node"))
    .description("run a local chain with funded test accounts until Ctrl-C; other commands in this folder find it")
    .option("--vm <vm>", `the VM: ${vms.join(", ")}`, "evm")
    .addOption(
      new Option("--kind <kind>", "which node; the first of the VM when absent").choices(
        vms.flatMap((vm) => kinds[vm].names),
      ),
    )
    .option("--port <port>", "port on 127.0.0.1 (evm 8545, move 1317, wasm 26657), 0 for any free one", parsePort)
    .option("--l1", "run a second chain beside it that plays Initia's L1, with a stage that can be set")
    .addHelpText("after", "\nExamples:\n  $ vipscore node --port 0\n  $ vipscore node --vm move --l1")
    .action((flags: NodeFlags) => runNode(context, flags));
}

/** Starts a node and keeps it until the signal; ending it is the normal end of this command. */
async function runNode(context: Context, flags: NodeFlags): Promise<void> {
  const { io, output } = context;
  const vm = checkVm({ value: flags.vm, source: "--vm" });
  const kind = flags.kind ?? kinds[vm].names[0];
  if (kind === undefined || !kinds[vm].names.includes(kind)) {
    throw new InputError(`--kind ${kind} is no node of ${vm}; there is: ${kinds[vm].names.join(", ")}`);
  }
  const running = await readNodeFile(io.cwd);
  if (running !== undefined) {
    throw new CheckError(`a local node already runs for this folder: ${running.rpcUrl} (process ${running.pid})`, {
      code: "CONFIG_INVALID",
      metaMessages: [`End it, or run this one in another folder. The node was found in ${nodeFileName}.`],
    });
  }
  const node = await start(context, vm, kind, flags.port ?? kinds[vm].port);
  try {
    if (flags.l1 === true) {
      const l1 = await startLocalL1(context);
      try {
        await serve(context, node, l1);
      } finally {
        await l1.stop();
      }
    } else {
      await serve(context, node, undefined);
    }
  } finally {
    await node.stop();
  }
  output.note("stopped");
}

/** Lets other commands find the nodes until the signal. */
async function serve({ io, output }: Context, node: AnyNode, l1: LocalL1 | undefined): Promise<void> {
  try {
    await writeNodeFile(io.cwd, l1 === undefined ? node : { ...node, l1 });
    output.print(nodeText(node, l1).join("\n"));
    const { vm, kind, rpcUrl, restUrl, chainId, accounts } = node;
    output.json({
      command: "node",
      vm,
      kind,
      rpcUrl,
      ...(restUrl === undefined ? {} : { restUrl }),
      chainId,
      accounts: accounts.map(({ name, address }) => ({ name, address })),
      ...(l1 === undefined ? {} : { l1: { restUrl: l1.restUrl, chainId: l1.chainId, vipAddress: l1.vipAddress } }),
    });
    await aborted(io.signal);
  } finally {
    await removeNodeFile(io.cwd);
  }
}

type AnyNode = LocalNode & { readonly restUrl?: string };
type LocalL1 = CosmosNode & { readonly vipAddress: string };

function start({ io, output }: Context, vm: Vm, kind: LocalNodeKind, port: number): Promise<AnyNode> {
  if (kind === "anvil") return startAnvil({ port });
  if (kind === "hardhat" || vm === "evm") return startHardhat({ port });
  // The port that commands connect to; of the other one nobody has to know beforehand.
  const ports = rollups[vm].endpoint.ofNode === "restUrl" ? { restPort: port } : { rpcPort: port };
  return startVipnode({ vm, ...ports, signal: io.signal, onProgress: vipnodeBuildNotes(output, vm) });
}

async function startLocalL1({ io, output }: Context): Promise<LocalL1> {
  const l1 = await startVipnode({
    vm: "move",
    l1: true,
    signal: io.signal,
    onProgress: vipnodeBuildNotes(output, "move"),
  });
  const { vipAddress } = l1;
  if (vipAddress === undefined) throw new Error("vipnode tells the address of its module vip");
  return { ...l1, vipAddress };
}

function nodeText(
  { vm, kind, rpcUrl, restUrl, chainId, accounts }: AnyNode,
  l1: LocalL1 | undefined,
): readonly string[] {
  const where = restUrl === undefined ? rpcUrl : `${restUrl} (REST) and ${rpcUrl} (RPC)`;
  return [
    `${kind} listens on ${where}, chain id ${chainId}`,
    ...(l1 === undefined
      ? []
      : [`L1 listens on ${l1.restUrl} (REST), chain id ${l1.chainId}, module vip at ${l1.vipAddress}`]),
    ...accounts.map(({ name, address }) => {
      // The form that a CosmWasm contract and its tools take.
      const shown = vm === "wasm" ? formatBech32(parseAccount(address, { accountBytes: [20] })) : address;
      return `${name.padEnd(9)} ${shown}  funded, PUBLIC test key`;
    }),
    "Ctrl-C ends it and forgets the chain.",
  ];
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InputError(`--port "${text}" is not a port from 0 to 65535`);
}
