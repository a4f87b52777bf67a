import type { Command } from "commander";
import { vms } from "../rollup/rollups.ts";

/** Adds the options that say where the rollup is whose NFTs are indexed. */
export function withRollupOptions(command: Command): Command {
  return command
    .option("--vm <vm>", `the rollup's VM: ${vms.join(", ")}`)
    .option("--rpc-url <url>", "JSON-RPC endpoint of an EVM rollup (env JSON_RPC_URL)")
    .option("--rest-url <url>", "REST endpoint of a Move rollup (env REST_URL)")
    .option("--rpc-node-url <url>", "RPC endpoint of a Wasm rollup's node (env RPC_NODE_URL)");
}
