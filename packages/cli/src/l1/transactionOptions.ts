import { Option, type Command } from "commander";
import { parseU64, withSignerOptions } from "../options/commandOptions.ts";
import type { SignFlags } from "./l1Connection.ts";

/** The flags of a transaction on L1 that is written to a file. */
export interface TransactionFlags extends SignFlags {
  readonly out: string;
  readonly gas?: bigint;
  readonly gasPrices?: string;
}

/** Adds the options of {@link TransactionFlags}. */
export function withTransactionOptions(command: Command): Command {
  return withSignerOptions(command)
    .addOption(new Option("--out <file>", "write the transaction to a new JSON file").makeOptionMandatory())
    .option("--sign", "sign it; without this, sign the file with `initiad tx sign`")
    .addOption(
      new Option("--gas <n>", "gas limit of the transaction (default: by its size)").argParser((text) =>
        parseU64("--gas", text),
      ),
    )
    .option("--gas-prices <price>", "gas price on L1, e.g. 0.015uinit (default: asks L1)");
}
