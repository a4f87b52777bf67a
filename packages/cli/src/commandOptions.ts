import { InputError, parseAccount, stage, type Account, type Stage } from "@vipscore/core";
import { Option, type Command } from "commander";
import type { Vm } from "@vipscore/core";
import { rollups, vms } from "./rollup/rollups.ts";

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
    .option("--vm <vm>", `the rollup's VM: ${vms.join(", ")}`)
    .option("--rpc-url <url>", "JSON-RPC endpoint of an EVM rollup (env JSON_RPC_URL)")
    .option("--rest-url <url>", "REST endpoint of a Move rollup (env REST_URL)")
    .option("--rpc-node-url <url>", "RPC endpoint of a Wasm rollup's node (env RPC_NODE_URL)")
    .option("--chain-id <id>", "refuse an endpoint of any other chain (env CHAIN_ID)")
    .option("--config <file>", "settings file instead of vipscore.config.json");
}

/** Adds the options that say where L1 is. */
export function withL1Options(command: Command): Command {
  return command
    .option("--l1-rest-url <url>", "REST endpoint of L1, whose stage is then looked at (env L1_REST_URL)")
    .option("--vip-address <address>", "the VIP module on L1, known for the public networks (env VIP_ADDRESS)");
}

/** Adds the option for signing; the key itself is never an argument. */
export function withKeyOption(command: Command): Command {
  return command.option("--keystore <file>", "encrypted keystore to sign with, instead of env PRIVATE_KEY or MNEMONIC");
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

/** An account given as an argument, hex or bech32, as the VM allows it. */
export function parseAccountArgument(text: string, vm: Vm): Account {
  return parseAccount(text, { accountBytes: rollups[vm].accountBytes });
}

function parseScale(text: string): number {
  if (/^\d{1,2}$/.test(text) && Number(text) <= 18) return Number(text);
  throw new InputError(`--scale "${text}" is not an integer from 0 to 18`);
}
