import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { InputError, systemErrorCode } from "@vipscore/core";
import { nodeEnvironment } from "@vipscore/core/nodeEnvironment";
import type { Context } from "../context.ts";
import { ownVersion, packageFolder, valueAt } from "../optionalPackage.ts";

export function addDemo(command: Command, context: Context): void {
  command
    .usage("[options]")
    .argument("[arguments...]", "options of the demo, such as --vm move; after --, also --help")
    .allowUnknownOption()
    .addHelpText(
      "after",
      `
Runs the program of the package @vipscore/demo. If it is not installed, npm runs it from the registry, and asks before it
downloads. The program does not receive keys, passwords or tokens from the environment.

Examples:
  $ vipscore demo
  $ vipscore demo --vm move
  $ vipscore demo -- --help`,
    )
    .action((args: readonly string[]) => runDemo(context, args));
}

const demo = { package: "@vipscore/demo", program: "vipscore-demo" } as const;

/** Status of a program that a signal ended. */
const interruptedStatus = 130;

/** Runs the demo, a package with its own chains, in this terminal, and ends with its status. */
async function runDemo({ io, endWith }: Context, args: readonly string[]): Promise<void> {
  const installed = await findProgram();
  // All packages of vipscore have the same version.
  const fromRegistry = ["npm", "exec", `--package=${demo.package}@${ownVersion()}`, "--", demo.program] as const;
  const [program, ...before] = installed === undefined ? fromRegistry : ([process.execPath, installed] as const);
  const child = spawn(program, [...before, ...args], {
    cwd: io.cwd,
    // Chains and their tools need no secrets.
    env: nodeEnvironment(io.env),
    stdio: "inherit",
  });
  // A terminal sends Ctrl-C to the program too, which takes a second signal as the wish to end at once.
  const stop = (): boolean => io.stdin.isTTY !== true && child.kill("SIGTERM");
  io.signal.addEventListener("abort", stop, { once: true });
  try {
    endWith(
      await new Promise<number>((resolve, reject) => {
        child.once("close", (status) => resolve(status ?? interruptedStatus));
        child.once("error", reject);
      }),
    );
  } catch (error) {
    throw systemErrorCode(error) === "ENOENT" ? noNpm(error) : error;
  } finally {
    io.signal.removeEventListener("abort", stop);
  }
}

async function findProgram(): Promise<string | undefined> {
  const folder = packageFolder(demo.package);
  if (folder === undefined) return undefined;
  const manifest: unknown = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const file = valueAt(manifest, "bin", demo.program);
  return typeof file === "string" ? join(folder, file) : undefined;
}

function noNpm(cause: unknown): InputError {
  return new InputError(`${demo.package} is not installed, and there is no npm to run it with`, {
    code: "PACKAGE_MISSING",
    metaMessages: [`Install it next to vipscore: npm install ${demo.package}@${ownVersion()}`],
    cause,
  });
}
