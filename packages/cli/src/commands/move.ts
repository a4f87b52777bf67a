import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { Option, type Command } from "commander";
import { InputError, systemErrorCode } from "@vipscore/core";
import { nodeEnvironment } from "@vipscore/core/nodeEnvironment";
import { nodeFileName, readNodeFile } from "@vipscore/core/nodeFile";
import { group } from "@vipscore/core/values";
import type { Context } from "../context.ts";
import { findContract, knownContract, openRollup, shown } from "../contract/connect.ts";
import { findSigner, type SignerFlags } from "../key/findSigner.ts";
import { optionalPackage } from "../optionalPackage.ts";
import {
  parseAccountArgument,
  withConnectionOptions,
  withKeyOption,
  withOutputOptions,
  withPackage,
} from "../options.ts";
import { moveAddress } from "../rollup/open.ts";
import { readConfigFile } from "../settings/projectFiles.ts";
import { readSettings, type ConnectionFlags } from "../settings/readSettings.ts";
import { findSetting } from "../settings/settings.ts";

interface NameFlags {
  readonly namedAddress: readonly string[];
}

type BuildFlags = NameFlags & Pick<SignerFlags, "keystore" | "remoteSigner" | "signer">;

export function addMove(move: Command, context: Context): void {
  withNames(withKeyOption(withOutputOptions(move.command("build [folder]"))))
    .description("compile a package into its folder `build`; unknown addresses are made up")
    .addHelpText("after", `\n${openNames}\n\nExample:\n  $ vipscore move build`)
    .action((folder: string | undefined, flags: BuildFlags) => build(context, folder, flags));
  withNames(withOutputOptions(move.command("test [folder]")))
    .description("run the unit tests of a package")
    .addHelpText(
      "after",
      "\nNames that Move.toml leaves open get made-up addresses.\n\nExample:\n  $ vipscore move test",
    )
    .action((folder: string | undefined, flags: NameFlags) => test(context, folder, flags));
  withNames(withKeyOption(withConnectionOptions(move.command("publish [folder]"))))
    .description("compile a package and publish its modules, or replace them by their next version")
    .addHelpText("after", `\n${openNames}\n\nExample:\n  $ vipscore move publish`)
    .action((folder: string | undefined, flags: BuildFlags & ConnectionFlags) => publish(context, folder, flags));
}

const vm = "move";

/** The name of the module of scores, and of its address in a package that calls it. */
const scoringName = "vip_score";

const openNames = `Names that Move.toml leaves open (_) get the signer's address, and ${scoringName} that of the scoring contract, if the
package does not have that module itself.`;

function withNames(command: Command): Command {
  return withPackage(command, "@vipscore/localnet").addOption(
    new Option("--named-address <name=address>", "address of a name in Move.toml; repeatable")
      .argParser((text, earlier: readonly string[]) => [...earlier, text])
      .default([], "none"),
  );
}

async function build(context: Context, folder = ".", flags: BuildFlags): Promise<void> {
  await compile(context, "build", folder, flags, () => findAddresses(context, flags));
  const { output } = context;
  output.print(`${output.paint("green", "built")}      package ${folder}`);
  output.json({ command: "move build", folder });
}

async function test(context: Context, folder = ".", flags: NameFlags): Promise<void> {
  await compile(context, "test", folder, flags, () => Promise.resolve({}));
  context.output.json({ command: "move test", folder });
}

async function publish(context: Context, folder = ".", flags: BuildFlags & ConnectionFlags): Promise<void> {
  const { io, output } = context;
  const settings = await readSettings(context, flags);
  const rollup = await openRollup(context, settings, flags, "required");
  if (rollup.publish === undefined) {
    throw new InputError("the endpoint is that of a rollup without Move", { code: "CONFIG_INVALID" });
  }
  const address = parseAccountArgument(rollup.signerAddress ?? "", vm);
  const findScores = async () => (await findContract(context, settings, rollup)).value;
  await compile(context, "build", folder, flags, () => Promise.resolve({ own: address, findScores }));
  const { modules, hash, height, gasUsed } = await rollup.publish(resolve(io.cwd, folder));
  const names = modules.map((name) => `${address}::${name}`);
  output.print(
    `${output.paint("green", "published")}  ${names.join(", ")}   (block ${group(height)}, transaction ${hash})`,
  );
  output.json({ command: "move publish", folder, address, modules, transaction: { hash, height, gasUsed } });
}

/** Addresses for the names that a package leaves open; a missing one is made up. */
interface Addresses {
  /** The publisher's. */
  readonly own?: string | undefined;
  readonly findScores?: () => Promise<string | undefined>;
}

/** Finds the addresses of a build, which needs no chain and so asks none. */
async function findAddresses(context: Context, flags: BuildFlags): Promise<Addresses> {
  const { io, scrubber } = context;
  const file = await readNodeFile(io.cwd);
  const node = file?.vm === vm ? file : undefined;
  const signer = await findSigner(context, { vm, onLocalNode: node !== undefined }, flags);
  const own = signer && (await moveAddress(signer.value));
  const places = { env: io.env, config: await readConfigFile(io, undefined) };
  const chainId = findSetting("chainId", places, [nodeFileName, node?.chainId])?.value ?? "";
  const contract = findSetting("contract", places);
  scrubber.addGiven(contract?.value ?? "");
  const findScores = async () => (await knownContract(io, vm, contract, () => Promise.resolve(chainId)))?.value;
  return { own, findScores };
}

/** Returns the names to which neither Move.toml nor a flag gives an address. */
async function findOpenNames({ io }: Context, folder: string, { namedAddress }: NameFlags): Promise<readonly string[]> {
  const file = join(folder, "Move.toml");
  const text = await readFile(resolve(io.cwd, file), "utf8").catch((cause: unknown) => {
    const message = `${file} cannot be read (${systemErrorCode(cause)}): name the folder of a Move package`;
    throw new InputError(message, { code: "FILE_UNREADABLE", cause });
  });
  const [, addresses = ""] = /^\[addresses\]([^[]*)/m.exec(text) ?? [];
  const open = [...addresses.matchAll(/^\s*(\w+)\s*=\s*["']_["']/gm)].map(([, name = ""]) => name);
  return open.filter((name) => namedAddress.every((given) => !given.startsWith(`${name}=`)));
}

/** Returns an address for each open name, as the compiler takes it, and prints them. */
async function nameOpen(
  { io, output }: Context,
  folder: string,
  open: readonly string[],
  { own, findScores }: Addresses,
): Promise<readonly string[]> {
  const isFork = existsSync(resolve(io.cwd, folder, "sources", `${scoringName}.move`));
  const named: string[] = [];
  for (const [index, name] of open.entries()) {
    const found = name === scoringName && !isFork ? await findScores?.() : own;
    const address = found === undefined ? `0x${(0xa0 + index).toString(16)}` : parseAccountArgument(found, vm);
    output.note(
      output.paintNote("dim", `address   ${name}=${shown(address)}${found === undefined ? "  (made up)" : ""}`),
    );
    named.push(`${name}=${address}`);
  }
  return named;
}

/** Runs the compiler of the local chain's program. @throws InputError if it fails, after it has printed why. */
async function compile(
  context: Context,
  action: "build" | "test",
  folder: string,
  flags: NameFlags,
  find: () => Promise<Addresses>,
): Promise<void> {
  const { io, output } = context;
  const open = await findOpenNames(context, folder, flags);
  const found = open.length === 0 ? [] : await nameOpen(context, folder, open, await find());
  const named = [...flags.namedAddress, ...found];
  const { prepareVipnodes, vipnodeBuildNotes } = await optionalPackage("@vipscore/localnet");
  const onProgress = vipnodeBuildNotes(["move"], output);
  const [program = ""] = await prepareVipnodes({ vms: ["move"], signal: io.signal, onProgress });
  const child = spawn(program, [action, folder, ...named.flatMap((each) => ["--named-address", each])], {
    cwd: io.cwd,
    env: nodeEnvironment(io.env),
    stdio: ["ignore", "pipe", "pipe"],
    signal: io.signal,
  });
  createInterface(child.stdout).on("line", (line) => output.print(line));
  createInterface(child.stderr).on("line", (line) => output.note(line));
  const status = await new Promise<number | null>((done, reject) => {
    child.once("error", reject);
    child.once("close", done);
  });
  if (status !== 0) throw new InputError(`the ${action} of ${folder} failed with status ${status}`);
}
