import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { Argument, type Command } from "commander";
import { fileUnwritable, InputError, systemErrorCode, type Vm } from "@vipscore/core";
import { vms } from "@vipscore/core/values";
import type { Context } from "../context.ts";
import { ownVersion, packageFolder, packageMissing } from "../optionalPackage.ts";
import { withOutputOptions } from "../options.ts";
import { shellWord } from "../output/printable.ts";

export function addNew(command: Command, context: Context): void {
  withOutputOptions(command)
    .addArgument(new Argument("<what>", "a contract for a VM, or a page that reads scores").choices([...vms, "page"]))
    .argument("<folder>", "a new or empty folder")
    .addHelpText(
      "after",
      `
For a VM, needs the package @vipscore/contracts-evm, -wasm or -move, installed next to vipscore.

Examples:
  $ vipscore new evm game
  $ npx -p @vipscore/cli -p @vipscore/contracts-wasm vipscore new wasm game
  $ npx @vipscore/cli new page scores`,
    )
    .action((what: Example, folder: string) => copyExample(context, what, folder));
}

/** Starts the local chain on which the example of a VM is deployed, with a scoring contract if its script deploys none. */
const startChain = (vm: Vm): string => `npx @vipscore/cli node --vm ${vm} # in another terminal`;
const deployScores = "npx @vipscore/cli deploy --init-stage 1";

type Example = Vm | "page";

/** The example of each kind: its place in a package, and what to do with it next. */
const examples: Readonly<Record<Example, { name: string; folder: string; next: readonly string[] }>> = {
  evm: {
    name: "@vipscore/contracts-evm",
    folder: "examples",
    next: ["npm test", startChain("evm"), "npm run deploy"],
  },
  wasm: {
    name: "@vipscore/contracts-wasm",
    folder: "examples/arena",
    next: [
      "rustup target add wasm32-unknown-unknown",
      "npm test",
      "npm run build",
      startChain("wasm"),
      deployScores,
      "npm run deploy",
    ],
  },
  move: {
    name: "@vipscore/contracts-move",
    folder: "arena",
    next: ["npm test", startChain("move"), deployScores, "npm run deploy"],
  },
  page: {
    name: "@vipscore/cli",
    folder: "page",
    next: ["npx @vipscore/cli node --indexer # in another terminal", "npm run local", "npm run dev"],
  },
};

/** Folders of a checkout that no package has. */
const built = new Set(["artifacts", "build", "cache", "dist", "node_modules", "out", "target"]);

async function copyExample({ io, output }: Context, what: Example, folder: string): Promise<void> {
  const { name, folder: place, next } = examples[what];
  const path = resolve(io.cwd, folder);
  if ((await filesIn(path, folder)).length > 0) {
    throw new InputError(`${folder} is not empty`, {
      code: "FILE_UNWRITABLE",
      metaMessages: ["Name a new folder."],
    });
  }
  const installed = packageFolder(name);
  if (installed === undefined) throw packageMissing(name, `an example of a contract (vipscore new ${what})`);
  try {
    const created = await mkdir(path, { recursive: true });
    try {
      await cp(join(installed, place), path, { recursive: true, filter: (source) => !built.has(basename(source)) });
      const project = projectName(path);
      const named = ["package.json", "README.md", "Cargo.toml", "Move.toml"];
      for (const file of named) await adapt(join(path, file), name, project);
      await writeFile(join(path, ".gitignore"), [...built].map((each) => `${each}\n`).join(""));
    } catch (error) {
      // Half an example looks like a whole one, and the next attempt would refuse its folder.
      const copied = created === undefined ? (await readdir(path)).map((file) => join(path, file)) : [created];
      for (const file of copied) await rm(file, { recursive: true, force: true });
      throw error;
    }
  } catch (error) {
    throw fileUnwritable(folder, error);
  }
  output.print(`copied    the example of ${name} to ${folder}`);
  const commands = [`cd ${shellWord(folder)}`, "npm install", ...next];
  for (const command of commands) output.print(`  $ ${command}`);
  output.json({ command: "new", what, folder, package: name, next: commands });
}

/** A new folder has no files. */
async function filesIn(path: string, name: string): Promise<readonly string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return [];
    throw fileUnwritable(name, error);
  }
}

/** Returns a name that npm, Cargo and Move accept for the project in a folder. */
function projectName(path: string): string {
  const name = basename(path)
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, "_")
    .replace(/^[_0-9]+/, "");
  return name === "" ? "example" : name;
}

/** In its package, an example has the name of its contract, and names the scoring contract as a folder above it. */
async function adapt(file: string, name: string, project: string): Promise<void> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return;
  const adapted = text
    .replace(/^# In your own project: .*\n/gm, "")
    .replace(/= "\.\.(\/\.\.)?"/, `= "node_modules/${name}"`)
    .replace(/^(\s*"?name"?\s*[=:]\s*)"(?:arena|page)"/m, `$1"${project}"`)
    .replace(/^# (?:arena|page)$/m, `# ${project}`);
  await writeFile(file, adapted.replaceAll(/("@vipscore\/[a-z-]+"): "\*"/g, `$1: "${ownVersion()}"`));
}
