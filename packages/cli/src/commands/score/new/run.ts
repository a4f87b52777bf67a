import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileUnwritable, InputError, refuseExisting, type Vm } from "@vipscore/core";
import type { PolicyExample } from "@vipscore/policy";
import type { Context } from "../../../context.ts";
import { optionalPackage } from "../../../optionalPackage.ts";

/** The flags of `score new`. */
export interface NewFlags {
  readonly example: PolicyExample;
  readonly vm: Vm;
  readonly chainId: string;
  readonly contract: string;
}

/** Writes the folder of an example policy: `score new`. */
export async function writeExample({ io, output }: Context, folder: string, flags: NewFlags): Promise<void> {
  for (const [name, text] of [
    ["--chain-id", flags.chainId],
    ["--contract", flags.contract],
  ] as const) {
    // They become part of a TOML text.
    if (!/^[\w:.-]{1,200}$/.test(text))
      throw new InputError(`${name} "${text}" has characters that no ${name.slice(2)} has`);
  }
  const path = resolve(io.cwd, folder);
  await refuseExisting(path, folder);
  const { exampleFiles } = await optionalPackage("@vipscore/policy");
  const files = await exampleFiles(flags);
  await writeNewFolder(path, folder, files);
  output.print(`policy    ${folder}: ${[...files.keys()].join(", ")}`);
  output.print("Adapt the events and the query, list your team's accounts in exclude.csv, then:");
  output.print(`  $ vipscore score check ${folder} --stage 1`);
  output.json({ command: "score new", folder, example: flags.example, vm: flags.vm, files: [...files.keys()] });
}

/** Writes a new folder with all its files, or nothing. */
async function writeNewFolder(path: string, name: string, files: ReadonlyMap<string, string>): Promise<void> {
  let aside: string | undefined;
  try {
    await mkdir(dirname(path), { recursive: true });
    aside = join(dirname(path), `.${basename(path)}-${randomUUID()}`);
    await mkdir(aside);
    for (const [file, text] of files) await writeFile(join(aside, file), text);
    await rename(aside, path);
  } catch (error) {
    if (aside !== undefined) await rm(aside, { recursive: true, force: true });
    throw fileUnwritable(name, error);
  }
}
