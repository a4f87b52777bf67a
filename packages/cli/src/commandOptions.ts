import { InputError, parseAccount, stage, type Account, type Stage } from "@vipscore/core";
import { Option, type Command } from "commander";

/** Adds the options of every command. */
export function withOutputOptions(command: Command): Command {
  return command
    .option("--json", "print one JSON object on stdout, everything for people on stderr")
    .option("--debug", "print the stack of an error");
}

/** Adds the options that say where the contract is. */
export function withConnectionOptions(command: Command): Command {
  return withEndpointOptions(command).option("--contract <address>", "the contract (env CONTRACT_ADDRESS)");
}

/** Adds the options that say where the chain is. */
export function withEndpointOptions(command: Command): Command {
  return withOutputOptions(command)
    .option("--vm <vm>", "the rollup's VM; this version serves evm")
    .option("--rpc-url <url>", "JSON-RPC endpoint (env JSON_RPC_URL)")
    .option("--chain-id <id>", "refuse an endpoint of any other chain (env CHAIN_ID)")
    .option("--config <file>", "settings file instead of vipscore.config.json");
}

/** Adds the option for signing; the key itself is never an argument. */
export function withKeyOption(command: Command): Command {
  return command.option("--keystore <file>", "encrypted keystore to sign with, instead of env PRIVATE_KEY");
}

/** `--stage N`. */
export function stageOption(): Option {
  return new Option("--stage <n>", "stage number, from 1").argParser(parseStage).makeOptionMandatory();
}

/** The options that say how a score file is read. */
export function withTableOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--format <format>", "format of the file, where its name does not tell").choices([
        "csv",
        "json",
        "jsonl",
      ]),
    )
    .option("--scale <k>", "multiply amounts by 10^k: read tenths (1), hundredths (2), …", parseScale)
    .option("--floor", "drop the fraction that is left");
}

/** @throws InputError `STAGE_ZERO`, `INPUT_INVALID` */
export function parseStage(text: string): Stage {
  return stage(text);
}

/** An account given as an argument, hex or bech32. */
export function parseAccountArgument(text: string): Account {
  return parseAccount(text, { accountBytes: [20] });
}

function parseScale(text: string): number {
  if (/^\d{1,2}$/.test(text) && Number(text) <= 18) return Number(text);
  throw new InputError(`--scale "${text}" is not an integer from 0 to 18`);
}
