import { lstat, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { CommanderError, type Command } from "commander";
import { InputError, systemErrorCode, VipError } from "@vipscore/core/errors";
import { buildProgram, loadCommand } from "./buildProgram.ts";
import type { Context } from "./context.ts";
import type { Io } from "./io.ts";
import { Output } from "./output/output.ts";
import { reportError } from "./output/reportError.ts";
import { refuseSecretArguments, Scrubber } from "./output/scrubber.ts";
import { settingVariables, withAliases } from "./settings/settings.ts";
import { withVariableFiles } from "./settings/variableFiles.ts";

/**
 * Runs one command and returns its exit status: 0 done, 2 bad input, 3 refused by a check, 4 chain or network,
 * 130 interrupted, 1 a bug in vipscore itself, and that of the program which `demo` runs. Never throws and never ends the process.
 *
 * @param argv The arguments after the program's name.
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const scrubber = new Scrubber();
  addVariables(scrubber, io.env);
  // Arguments after a lone `--` are those that `complete` completes.
  const separator = argv.indexOf("--");
  const own = separator === -1 ? argv : argv.slice(0, separator);
  const operands = separator === -1 ? [] : argv.slice(separator + 1);
  for (const argument of own) scrubber.addGiven(argument);
  // Read before parsing, because errors in the arguments are reported in the same form.
  const json = own.includes("--json");
  const debug = own.includes("--debug");
  const output = new Output(io, { json, scrubber });
  const closers: (() => Promise<void>)[] = [];
  let status = 0;
  let isUnsent = false;
  let ran = "push";
  try {
    refuseSecretArguments(own);
    const env = await withVariableFiles(io);
    addVariables(scrubber, env);
    const context: Context = {
      io: { ...io, env: withAliases(env) },
      signal: io.signal,
      output,
      scrubber,
      operands,
      atEnd: (close) => closers.push(close),
      endWith: (value) => (status = value),
      unsent: (value) => (isUnsent = value),
    };
    await buildProgram(context)
      .hook("preSubcommand", async (_, command) => {
        ran = command.name();
        await refuseForeign(io.cwd);
        await loadCommand(command, context);
        nameTargetStage(command, io.env["TARGET_STAGE"]?.trim() ?? "");
        for (const each of [command, ...command.commands]) requireOptionsLast(each);
      })
      .parseAsync([...argv], { from: "user" });
    return status;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const cause = error instanceof CommanderError ? usageError(error, ran) : error;
    scrubber.hideKeyLike();
    const reported = io.signal.aborted ? interruption(cause, { reason: io.signal.reason, isUnsent }) : cause;
    return reportError(output, reported, { debug });
  } finally {
    // What was done is already reported; a device that is gone cannot be closed.
    await Promise.allSettled(closers.map((close) => close()));
  }
}

function addVariables(scrubber: Scrubber, env: Io["env"]): void {
  for (const { name, kind } of settingVariables) {
    const value = env[name] ?? "";
    if (kind === "secret") scrubber.addSecret(value.trim());
    // A user may paste a key into the wrong variable.
    else scrubber.addGiven(value);
    if (kind === "url") scrubber.addUrl(value);
    scrubber.addGiven(env[`${name}_FILE`] ?? "");
  }
}

/** Takes the stage from `TARGET_STAGE`, as the scripts of Initia's guides do, for a command that needs one; `--stage` overrides it. */
function nameTargetStage(command: Command, text: string): void {
  const option = command.options.find(({ long, mandatory }) => mandatory && long === "--stage");
  if (option === undefined || text === "") return;
  command.setOptionValueWithSource("stage", option.parseArg?.(text, undefined), "env");
}

/** Reports a missing option only after an unknown one, which may be the same mistyped. */
function requireOptionsLast(command: Command): void {
  const required = command.options.filter(({ mandatory }) => mandatory);
  for (const option of required) option.makeOptionMandatory(false);
  command.hook("preAction", () => {
    const missing = required.find((option) => command.getOptionValue(option.attributeName()) === undefined);
    if (missing !== undefined) command.error(`error: required option '${missing.flags}' not specified`);
  });
}

/**
 * Commands write, read and remove files below `.vipscore`, which may have come with a stranger's repository: a link would lead them
 * elsewhere, and a pipe would keep them waiting. What another user owns, that user can change meanwhile.
 *
 * @throws InputError if anything there is neither a file nor a folder, or another user's; `FILE_UNREADABLE` if a folder cannot be read.
 */
async function refuseForeign(cwd: string, path = join(cwd, ".vipscore")): Promise<void> {
  const entry = await lstat(path).catch(ifMissing(undefined));
  if (entry === undefined) return;
  const shown = relative(cwd, path);
  if (!entry.isFile() && !entry.isDirectory()) {
    throw new InputError(`${shown} is neither a file nor a folder`, {
      metaMessages: ["A link there may lead to your own files, which would be overwritten or removed. Remove it."],
    });
  }
  // As for the keys of ssh, root may own it: root can change everything anyway.
  if (entry.uid !== 0 && entry.uid !== (process.geteuid?.() ?? entry.uid)) {
    throw new InputError(`${shown} belongs to another user, with the ID ${entry.uid}`, {
      metaMessages: ["That user can change it while the command runs. Remove it, or run the command as that user."],
    });
  }
  if (!entry.isDirectory()) return;
  for (const name of await readdir(path).catch(ifMissing([]))) await refuseForeign(cwd, join(path, name));
}

/** Another command may remove a folder at any time. */
function ifMissing<T>(instead: T): (cause: unknown) => T {
  return (cause) => {
    if (systemErrorCode(cause) === "ENOENT") return instead;
    throw cause;
  };
}

/** Returns the reason for an abort, because aborted work can fail with many other errors. */
function interruption(error: unknown, { reason, isUnsent }: { reason: unknown; isUnsent: boolean }): VipError {
  if (VipError.isVipError(reason) && reason.code !== "INTERRUPTED") return reason;
  if (isUnsent) return new VipError("interrupted: nothing was sent", { code: "INTERRUPTED", cause: reason });
  for (const known of [error, reason]) if (VipError.isVipError(known) && known.code === "INTERRUPTED") return known;
  return new VipError("interrupted", { code: "INTERRUPTED", cause: reason });
}

/** Converts an error in the arguments. Removes possible secrets, after a mistyped flag or in the wrong place. */
function usageError(error: CommanderError, command: string): InputError {
  const message = error.message
    .replace(/^error: /, "")
    .replace(/=[^']*/g, "=…")
    .replace(/[0-9a-f]{64}/gi, "…");
  const isHelp = error.code === "commander.help";
  return new InputError(isHelp ? "no command given" : message, {
    metaMessages: [`\`vipscore --help\` lists the commands, \`vipscore ${command} --help\` explains one.`],
  });
}
