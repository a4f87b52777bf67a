import { CheckError, InputError } from "@vipscore/core";
import {
  nodeFileName,
  readNodeFile,
  removeNodeFile,
  startAnvil,
  startHardhat,
  writeNodeFile,
} from "@vipscore/localnet";
import { Option, type Command } from "commander";
import { withOutputOptions } from "../commandOptions.ts";
import type { Context } from "../context.ts";
import { checkVm } from "../settings/readSettings.ts";

interface NodeFlags {
  readonly vm: string;
  readonly kind: "hardhat" | "anvil";
  readonly port: number;
}

const defaultPort = 8545;

/** Adds `node`. */
export function addNode(program: Command, context: Context): void {
  withOutputOptions(program.command("node"))
    .description("run a local chain with funded test accounts until Ctrl-C; other commands in this folder find it")
    .option("--vm <vm>", "the VM; this version serves evm", "evm")
    .addOption(new Option("--kind <kind>", "which node").choices(["hardhat", "anvil"]).default("hardhat"))
    .option("--port <port>", "port on 127.0.0.1, 0 for any free one", parsePort, defaultPort)
    .addHelpText("after", "\nExample:\n  $ vipscore node --port 0")
    .action((flags: NodeFlags) => runNode(context, flags));
}

/** Starts a node and keeps it until the signal; ending it is the normal end of this command. */
async function runNode({ io, output }: Context, flags: NodeFlags): Promise<void> {
  const { cwd, signal } = io;
  checkVm({ value: flags.vm, source: "--vm" });
  const running = await readNodeFile(cwd);
  if (running !== undefined) {
    throw new CheckError(`a local node already runs for this folder: ${running.rpcUrl} (process ${running.pid})`, {
      code: "CONFIG_INVALID",
      metaMessages: [`End it, or run this one in another folder. The node was found in ${nodeFileName}.`],
    });
  }
  const start = flags.kind === "anvil" ? startAnvil : startHardhat;
  const node = await start({ port: flags.port });
  try {
    await writeNodeFile(cwd, node);
    const { kind, rpcUrl, chainId, accounts } = node;
    output.print(
      [
        `${kind} listens on ${rpcUrl}, chain id ${chainId}`,
        ...accounts.map(({ name, address }) => `${name.padEnd(9)} ${address}  funded, PUBLIC test key`),
        "Ctrl-C ends it and forgets the chain.",
      ].join("\n"),
    );
    output.json({
      command: "node",
      vm: flags.vm,
      kind,
      rpcUrl,
      chainId,
      accounts: accounts.map(({ name, address }) => ({ name, address })),
    });
    await aborted(signal);
  } finally {
    await removeNodeFile(cwd);
    await node.stop();
  }
  output.note("stopped");
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
