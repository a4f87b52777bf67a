import { Option, type Command } from "commander";
import { InputError } from "@vipscore/core/errors";
import { vms } from "@vipscore/core/values";
import type { Context } from "../../context.ts";
import { connectionOption, withOutputOptions, withPackage } from "../../options/commandOptions.ts";
import type { ConformFlags } from "./run.ts";

/** Adds `conform`. */
export function addConform(command: Command, context: Context): void {
  withPackage(withOutputOptions(command), "@vipscore/conformance")
    .option(
      "--artifact <path>",
      "the compiled contract: JSON of Hardhat or Foundry, .mv, built Move package, or .wasm (default: vipscore's own)",
    )
    .option("--vm <vm>", `without --artifact, the VM: ${vms.join(", ")}`, "evm")
    .addOption(
      connectionOption(
        "--endpoint <url>",
        "run on this development chain, where the public test account has funds (default: starts a chain)",
      ),
    )
    .addOption(
      new Option("--only <rules>", "only the program's rules, for a contract with the published interface").choices([
        "reference",
      ]),
    )
    .addOption(
      new Option("--except <rule=reason>", "a rule that the contract need not keep, such as R16=reason; repeatable")
        .argParser(collectException)
        .default(new Map(), "none"),
    )
    .option("--seed <n>", "seed of the random calls", parseSeed, 1)
    .option("--junit <file>", "also write the results to this new file, in JUnit's format")
    .addHelpText(
      "after",
      `
Uses no key of yours: contracts are deployed by a public test account.

Examples:
  $ vipscore conform
  $ vipscore conform --artifact artifacts/MyScore.json --except R16=deliberate
  $ vipscore conform --artifact my_score.wasm --only reference --junit conform.xml`,
    )
    .action(async (flags: ConformFlags) => (await import("./run.ts")).proveContract(context, flags));
}

function collectException(text: string, earlier: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const [, rule, reason] = /^(R\d+)=\s*(\S.*)$/s.exec(text) ?? [];
  if (rule === undefined || reason === undefined) {
    throw new InputError(`--except ${text} is not a rule R with a reason, such as R16=reason`);
  }
  return new Map([...earlier, [rule, reason]]);
}

function parseSeed(text: string): number {
  const seed = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  if (seed === undefined) throw new InputError(`--seed ${text} is not a number of at most 15 digits`);
  return seed;
}
