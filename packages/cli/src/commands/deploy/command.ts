import { Option, type Command } from "commander";
import type { Context } from "../../context.ts";
import { parseStage, withEndpointOptions, withL1Options, withSignerOptions } from "../../options/commandOptions.ts";
import type { DeployFlags } from "./prepare.ts";

/** Adds `deploy`. */
export function addDeploy(command: Command, context: Context): void {
  withL1Options(withSignerOptions(withEndpointOptions(command)))
    .option("--init-stage <n>", "the contract's first stage (env INIT_STAGE)", parseStage)
    .addOption(
      new Option("--member <address>", "another account that may write scores; repeatable")
        .argParser(collect)
        .default([], "none"),
    )
    .option("--finalizer <address>", "the only account that may finalize stages (default: every member)")
    .option("--owner <address>", "offer ownership to this account, which must then accept it")
    .option(
      "--artifact <path>",
      "deploy your contract: JSON of Hardhat or Foundry, a .wasm file, or a built Move package or its .mv files",
    )
    .addOption(
      new Option("--upgrade-policy <policy>", "Move: what later upgrades may change").choices([
        "compatible",
        "immutable",
      ]),
    )
    .option("--upgrade", "Move and Wasm: replace the code of an existing scoring contract; its scores stay")
    .option("--contract <address>", "Wasm: the contract to upgrade (env CONTRACT_ADDRESS)")
    .option("--admin <address>", "Wasm: who may replace the code later, or `none` (default: the signer)")
    .option("--label <text>", "Wasm: the contract's name in explorers")
    .option("--from <address>", "EVM: take over the scores of the open stage of this contract; needs --finalizer")
    .addHelpText("after", "\nExample:\n  $ vipscore deploy --init-stage 1")
    .action(async (flags: DeployFlags) => (await import("./run.ts")).deployContract(context, flags));
}

function collect(text: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, text];
}
