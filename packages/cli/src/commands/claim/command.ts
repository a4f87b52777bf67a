import { Option, type Command } from "commander";
import { InputError } from "@vipscore/core/errors";
import type { Context } from "../../context.ts";
import { withTransactionOptions } from "../../l1/transactionOptions.ts";
import { configOption, parseU64, withL1Options, withOutputOptions } from "../../options/commandOptions.ts";
import type { ClaimFlags, StageRange } from "./run.ts";

/** Adds `claim`. */
export function addClaim(command: Command, context: Context): void {
  withTransactionOptions(withL1Options(withOutputOptions(command)))
    .addOption(new Option("--proofs <file...>", "files of proofs, one for each stage to claim").makeOptionMandatory())
    .addOption(new Option("--address <address>", "the account that claims").makeOptionMandatory())
    .addOption(new Option("--stages <range>", "stages to claim, e.g. 2-5 (default: all files)").argParser(parseRange))
    .addOption(configOption())
    .addHelpText(
      "after",
      "\nExample:\n  $ vipscore claim --proofs proofs2.json proofs3.json --address init13jkjtmyq5yzj9sjcut6e40cqqmy5ghgmwz3rlq --out claim.tx.json",
    )
    .action(async (flags: ClaimFlags) => (await import("./run.ts")).writeClaim(context, flags));
}

function parseRange(text: string): StageRange {
  const [from = "", to = from, ...more] = text.split("-");
  const range = { from: parseU64("--stages", from), to: parseU64("--stages", to) };
  if (more.length === 0 && range.from <= range.to) return range;
  throw new InputError(`--stages "${text}" is not a range of stages such as 2-5`);
}
