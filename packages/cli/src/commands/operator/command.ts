import { Option, type Command } from "commander";
import type { Context } from "../../context.ts";
import { withTransactionOptions } from "../../l1/transactionOptions.ts";
import { configOption, parseU64, withL1Options, withOutputOptions } from "../../options/commandOptions.ts";
import type { OperatorClaimFlags } from "./claim.ts";
import type { OperatorFlags } from "./run.ts";

/** Adds `operator commission`, `operator address` and `operator claim`. */
export function addOperator(operator: Command, context: Context): void {
  withOperatorOptions(operator.command("commission <rate>"))
    .description("write the transaction that sets the operator's share of the rewards, such as 0.05")
    .addHelpText("after", "\nExample:\n  $ vipscore operator commission 0.05 --bridge-id 7 --out commission.tx.json")
    .action(async (rate: string, flags: OperatorFlags) =>
      (await import("./run.ts")).setCommission(context, rate, flags),
    );
  withOperatorOptions(operator.command("address <address>"))
    .description("write the transaction that makes another account the operator")
    .addHelpText(
      "after",
      "\nExample:\n  $ vipscore operator address init13jkjtmyq5yzj9sjcut6e40cqqmy5ghgmwz3rlq --bridge-id 7 --out operator.tx.json",
    )
    .action(async (address: string, flags: OperatorFlags) =>
      (await import("./run.ts")).setAddress(context, address, flags),
    );
  withOperatorOptions(operator.command("claim"))
    .description("show the operator's rewards, and write the transaction that claims them")
    .addOption(
      new Option(
        "--bridge-version <n>",
        "the registration of the bridge, counted from 1 (default: the newest)",
      ).argParser((text) => parseU64("--bridge-version", text)),
    )
    .addHelpText("after", "\nExample:\n  $ vipscore operator claim --bridge-id 7 --out claim.tx.json")
    .action(async (flags: OperatorClaimFlags) => (await import("./claim.ts")).claimOperatorRewards(context, flags));
}

function withOperatorOptions(command: Command): Command {
  return withTransactionOptions(withL1Options(withOutputOptions(command)))
    .addOption(
      new Option("--bridge-id <id>", "the rollup's bridge ID on L1")
        .argParser((text) => parseU64("--bridge-id", text))
        .makeOptionMandatory(),
    )
    .addOption(configOption());
}
