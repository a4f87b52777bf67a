import { Option, type Command } from "commander";
import type { Account, ColumnNames, Stage, Vm } from "@vipscore/core";
import { InputError, quoteText } from "@vipscore/core/errors";
import { parseAccount, stage, u64Max, vms } from "@vipscore/core/values";
import type { UnsignedFlags } from "./contract/sendCall.ts";
import type { OptionalPackage } from "./optionalPackage.ts";
import { protocolsText, rollups } from "./rollup/rollups.ts";
import { settings, type SettingFacts } from "./settings/settings.ts";

/** Returns the option of a setting, whose help names its environment variable too. */
export function settingOption(name: keyof typeof settings, help: string): Option {
  const { flag, env }: SettingFacts = settings[name];
  return connectionOption(flag ?? "", env === undefined ? help : `${help} (env ${env})`);
}

/** Returns an option of the `Connection` group, which many commands share. */
export function connectionOption(flags: string, description: string): Option {
  return new Option(flags, description).helpGroup("Connection:");
}

function outputOption(flags: string, description: string): Option {
  return new Option(flags, description).helpGroup("Output:");
}

export function configOption(): Option {
  return connectionOption("--config <file>", "settings file (default: vipscore.config.json)");
}

/** What the help of a command says that takes {@link namedConfigOnly} flags. */
export const namedConfigHelp =
  "\nA settings file counts only if --config names it: the folder may be somebody else's.\n";

/** Returns the flags of a command that checks what others wrote, and may run in their folder. */
export function namedConfigOnly<Flags extends { readonly config?: string | false }>(flags: Flags): Flags {
  return { ...flags, config: flags.config ?? false };
}

export function vmOption(): Option {
  return settingOption("vm", `the rollup's VM: ${vms.join(", ")} (default: from the settings, or asks the endpoint)`);
}

/** Adds the options of every command. */
export function withOutputOptions(command: Command): Command {
  return command
    .addOption(outputOption("--json", "print one JSON object to stdout; text for people goes to stderr"))
    .addOption(outputOption("--debug", "print the stack trace of an error"));
}

export function withPackage(command: Command, name: OptionalPackage): Command {
  return command.addHelpText("after", `\nNeeds the package ${name}, installed next to vipscore.`);
}

/** Adds the options that name the contract. */
export function withConnectionOptions(command: Command): Command {
  return withEndpointOptions(command).addOption(settingOption("contract", "the contract's address"));
}

/** Adds the options that name the chain, and its expected chain ID. */
export function withEndpointOptions(command: Command): Command {
  return withOutputOptions(
    command.addOption(settingOption("endpoint", `the rollup's endpoint: ${protocolsText()}`)).addOption(vmOption()),
  )
    .addOption(settingOption("chainId", "chain ID that the endpoint must have"))
    .addOption(configOption());
}

/** Adds the option of a command that compares what two nodes show. */
export function withSecondEndpoint(command: Command): Command {
  return command.addOption(
    settingOption("secondEndpoint", "another node of the rollup, which must show the same stage at the same height"),
  );
}

export function withL1Options(command: Command): Command {
  return command
    .addOption(settingOption("l1RestUrl", "REST endpoint of L1, to check its stage"))
    .addOption(settingOption("vipAddress", "VIP module on L1; known for public networks"));
}

export function withSourceOptions(command: Command): Command {
  return withL1Options(withEndpointOptions(withPackage(command, "@vipscore/policy")));
}

export function withPolicyOptions(command: Command): Command {
  return withSourceOptions(command)
    .option("--memory <MiB>", "memory of the query's process (default: 1024)", parseMemory)
    .option("--spill <folder>", "folder for what does not fit in it (default: the system's temporary folder)");
}

function parseMemory(text: string): number {
  const memory = Number(text);
  if (/^\d+$/.test(text) && memory >= 512 && memory <= 1_048_576) return memory;
  throw new InputError(`--memory is ${quoteText(text)}, not a number of MiB from 512 to 1,048,576`);
}

/** Returns the option of a key in a file; the key itself is never an argument. */
export function keystoreOption(): Option {
  return connectionOption(
    "--keystore <file>",
    "encrypted keystore to sign with, instead of env PRIVATE_KEY or MNEMONIC",
  );
}

/** Adds the options of a key that signs without a person. */
export function withKeyOption(command: Command): Command {
  return command
    .addOption(keystoreOption())
    .addOption(settingOption("remoteSigner", "web3signer that signs instead, with no key in this process"))
    .addOption(connectionOption("--signer <address>", "the key of a remote signer that has several"));
}

/** Adds the options of a command that signs, with a key or a hardware wallet. */
export function withSignerOptions(command: Command): Command {
  return withKeyOption(command)
    .addOption(
      connectionOption(
        "--ledger [app]",
        "sign with a Ledger hardware wallet instead, in its Ethereum or Cosmos app (Cosmos: not on EVM)",
      )
        .choices(["ethereum", "cosmos"])
        .preset("ethereum"),
    )
    .addOption(connectionOption("--path <path>", "derivation path on the device (default: m/44'/60'/0'/0/0)"));
}

/** Adds the options of a command that can leave its signature to a multisig or another wallet. */
export function withUnsignedOptions(command: Command): Command {
  return withSignerOptions(command)
    .addOption(
      connectionOption(
        "--unsigned <file>",
        "send nothing and write the call to a new file, for a Safe (EVM) or a multisig of the Cosmos CLI",
      ),
    )
    .addOption(connectionOption("--from <address>", "with --unsigned: the account that will sign"))
    .hook("preAction", (_, action) => {
      const { from, unsigned } = action.opts<UnsignedFlags>();
      if (from !== undefined && unsigned === undefined) {
        throw new InputError("--from names the account that will sign an unsigned call: add --unsigned <file>");
      }
    });
}

export function stageOption(): Option {
  return new Option("--stage <n>", "stage number, 1 or higher").argParser(parseStage).makeOptionMandatory();
}

export function manifestOption(what: string): Option {
  return new Option("--manifest <file>", `manifest that score run wrote beside the scores: ${what}`);
}

/** `otherwise`: how the bridge is found without it. */
export function bridgeIdOption(otherwise = "asks the rollup, or L1 for the contract's"): Option {
  return new Option("--bridge-id <id>", `the rollup's bridge ID (default: ${otherwise})`).argParser(
    parseU64("--bridge-id"),
  );
}

export function rollupRestUrlOption(): Option {
  return connectionOption(
    "--rollup-rest-url <url>",
    "REST endpoint of the rollup, to ask for its bridge (env ROLLUP_REST_URL; default: the endpoint, except on EVM)",
  );
}

export function withTableOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--format <format>", "file format, if the file name does not show it")
        .choices(["csv", "json", "jsonl"])
        .helpGroup("Score file:"),
    )
    .addOption(
      new Option("--scale <k>", "multiply amounts by 10^k: 1 to count in tenths, 2 in hundredths")
        .argParser(parseWhole("--scale", "an integer from 0 to 18", 0, 18))
        .helpGroup("Score file:"),
    )
    .addOption(
      new Option("--columns <names>", "names of the columns, if they are others: address=Wallet,score=Points")
        .argParser(parseColumns)
        .helpGroup("Score file:"),
    )
    .addOption(new Option("--floor", "drop fractions instead of rejecting them").helpGroup("Score file:"));
}

function parseColumns(text: string): ColumnNames {
  const columns = text.split(",").map((part) => /^\s*(address|score)=(.*\S)\s*$/.exec(part)?.slice(1) ?? []);
  const names = new Map(columns.map(([field = "", name = ""]) => [field, name]));
  if (names.has("") || names.size < columns.length) {
    throw new InputError(`--columns ${quoteText(text)} is not address=<name>,score=<name>, or one of the two`);
  }
  return Object.fromEntries(names);
}

export function parseStage(text: string): Stage {
  return stage(text);
}

/** Returns the parser of an option with an integer from 0 to 2^64 - 1; its errors name the option. */
export function parseU64(option: string): (text: string) => bigint {
  return (text) => {
    if (/^\d{1,20}$/.test(text) && BigInt(text) <= u64Max) return BigInt(text);
    throw new InputError(`${option} "${text}" is not an integer from 0 to ${u64Max}`);
  };
}

export function parseAccountArgument(text: string, vm: Vm): Account {
  return parseAccount(text, { accountBytes: rollups[vm].accountBytes });
}

export function parsePort(option: string): (text: string) => number {
  return parseWhole(option, "a port from 0 to 65535", 0, 65_535);
}

/** Returns the parser of an option with a whole number in decimal digits; its errors name the option and what it is not. */
export function parseWhole(
  option: string,
  what: string,
  least = 0,
  most = 999_999_999_999_999,
): (text: string) => number {
  const form = least === 0 ? /^\d+$/ : /^[1-9]\d*$/;
  return (text) => {
    if (form.test(text) && text.length <= `${most}`.length && Number(text) <= most) return Number(text);
    throw new InputError(`${option} "${text}" is not ${what}`);
  };
}
