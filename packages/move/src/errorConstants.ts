import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Account } from "@vipscore/core";
import { encodeAddress } from "./bcs.ts";

export interface ErrorConstant {
  /** The module as the VM writes it: 64 hex digits, `::` and its name. */
  readonly module: string;
  readonly value: bigint;
  /** Its name, and the comment above it if there is one. */
  readonly text: string;
}

/** A module's name, or an error constant with its comment. */
const declarations =
  /^\s*module\s+\w+::(\w+)|(?:\/\/\/ ?([^\n]*)\n\s*)?\bconst\s+(E\w*)\s*:\s*u64\s*=\s*(0x[0-9a-f]+|\d+)\s*;/gim;

/** Reads the error constants in the sources of a Move package: all `const E…: u64`. None if the folder has no sources. */
export async function readErrorConstants(folder: string, publisher: Account): Promise<readonly ErrorConstant[]> {
  const names = await readdir(join(folder, "sources"), { recursive: true }).catch(() => []);
  const constants: ErrorConstant[] = [];
  for (const name of names.filter((each) => each.endsWith(".move")).toSorted()) {
    let module = "";
    const text = await readFile(join(folder, "sources", name), "utf8");
    for (const [, declared, comment = "", constant, value = ""] of text.matchAll(declarations)) {
      if (constant === undefined) module = `${encodeAddress(publisher).toString("hex")}::${declared}`;
      else constants.push({ module, value: BigInt(value), text: comment ? `${constant}: ${comment}` : constant });
    }
  }
  return constants;
}
