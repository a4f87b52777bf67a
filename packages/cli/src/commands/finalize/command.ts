import { Option, type Command } from "commander";
import { InputError } from "@vipscore/core/errors";
import type { Context } from "../../context.ts";
import {
  manifestOption,
  stageOption,
  withConnectionOptions,
  withL1Options,
  withSecondEndpoint,
  withTableOptions,
  withUnsignedOptions,
} from "../../options/commandOptions.ts";
import type { FinalizeFlags } from "./prepare.ts";

/** Adds `finalize`. */
export function addFinalize(command: Command, context: Context): void {
  withSecondEndpoint(withL1Options(withUnsignedOptions(withConnectionOptions(withTableOptions(command)))))
    .addOption(stageOption())
    .option("--file <file>", "the scores that the stage must hold")
    .addOption(
      new Option("--expect-digest <sha256>", "without --file: digest of the scores that the stage must hold")
        .argParser(parseDigest)
        .conflicts("file"),
    )
    .option("--early", "finalize even though the stage is still active on L1; the rest of it can then never be scored")
    .option("--yes", "do not ask for confirmation; required without a terminal")
    .option("--journal <file>", "file that records each transaction before it is sent")
    .addOption(manifestOption("checks that they are the same, and records the transaction"))
    .addHelpText("after", "\nExample:\n  $ vipscore finalize --stage 12 --file scores.csv")
    .action(async (flags: FinalizeFlags) => (await import("./run.ts")).finalizeFile(context, flags));
}

/** The value is not repeated, because it may be a key in the wrong place. */
function parseDigest(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  throw new InputError("--expect-digest is not a sha256 of 64 hex digits, as vipscore export prints it");
}
