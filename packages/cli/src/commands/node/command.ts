import { Option, type Command } from "commander";
import { vms } from "@vipscore/core/values";
import type { Context } from "../../context.ts";
import { parsePort, withOutputOptions, withPackage } from "../../options/commandOptions.ts";
import { rollups } from "../../rollup/rollups.ts";
import type { NodeFlags } from "./run.ts";

/** Adds `node`. */
export function addNode(command: Command, context: Context): void {
  const defaultPorts = vms.map((vm) => `${rollups[vm].name} ${rollups[vm].localNodes.port}`).join(", ");
  withPackage(withOutputOptions(command), "@vipscore/localnet")
    .option("--vm <vm>", `the VM: ${vms.join(", ")}`, "evm")
    .addOption(
      new Option("--kind <kind>", "node to run (default: hardhat on EVM, vipnode on Move and Wasm)").choices([
        ...new Set(vms.flatMap((vm) => rollups[vm].localNodes.kinds)),
      ]),
    )
    .option("--port <port>", `port on 127.0.0.1 (default: ${defaultPorts}); 0 picks a free port`, parsePort("--port"))
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
    .action(async (flags: NodeFlags) => (await import("./run.ts")).runNode(context, flags));
}
