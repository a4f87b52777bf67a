import type { Command } from "commander";
import type { Context } from "../../context.ts";
import {
  configOption,
  namedConfigHelp,
  namedConfigOnly,
  withL1Options,
  withOutputOptions,
} from "../../options/commandOptions.ts";
import type { VerifyProofFlags } from "./run.ts";

/** Adds `verify-proof`. */
export function addVerifyProof(command: Command, context: Context): void {
  withL1Options(withOutputOptions(command))
    .argument("<file>")
    .option("--address <address>", "check the proof of this account only")
    .addOption(configOption())
    .addHelpText("after", `${namedConfigHelp}\nExample:\n  $ vipscore verify-proof proofs12.json`)
    .action(async (file: string, flags: VerifyProofFlags) =>
      (await import("./run.ts")).verifyProofFile(context, file, namedConfigOnly(flags)),
    );
}
