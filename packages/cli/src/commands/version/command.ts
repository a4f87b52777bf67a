import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { withOutputOptions } from "../../options/commandOptions.ts";
import type { VersionFlags } from "./run.ts";

/** Adds `version`. */
export function addVersion(command: Command, context: Context): void {
  withOutputOptions(command)
    .option("--endpoint <url>", "CometBFT RPC endpoint of the rollup, on any VM (env RPC_NODE_URL, VIPSCORE_ENDPOINT)")
    .addHelpText("after", "\nExample:\n  $ vipscore version --endpoint https://rpc.example.org")
    .action(async (flags: VersionFlags) => (await import("./run.ts")).showVersions(context, flags));
}
