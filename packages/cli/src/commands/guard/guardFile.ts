import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  fileUnwritable,
  ifExists,
  InputError,
  readJsonFile,
  writeWholeFile,
  type ContractIdentity,
} from "@vipscore/core";
import { fields, list, matching, object, optional, type ReadField } from "@vipscore/core/field";
import type { Io } from "../../io.ts";
import type { OpenFinding } from "./findingLog.ts";

/** The file in which `guard` keeps what it has seen, relative to the current folder. */
export const guardFileName = ".vipscore/guard.json";

/** Who may do what to a contract, as text. */
export interface Roles {
  readonly owner: string;
  /** Empty if every member may finalize. */
  readonly finalizer: string;
  /** Sorted. */
  readonly members: readonly string[];
  /** Who can replace the code, and the contract's version. */
  readonly code: string;
}

/** What a guard has seen of a contract. */
export interface Seen {
  /** Its VM, chain and address; undefined before it was read. */
  readonly contract: string | undefined;
  /** When it was first watched. */
  readonly roles: Roles | undefined;
  /** The open stage at the last round. */
  readonly stage: { readonly stage: string; readonly total: string } | undefined;
  readonly open: readonly OpenFinding[];
}

/** A text of any length. */
const text = matching(/^/, "a text");
const severity: ReadField<OpenFinding["severity"]> = (field) =>
  field.value === "action" || field.value === "warning" ? field.value : field.failExpected("action or warning");
const readSeen = object({
  contract: optional(text),
  roles: optional(fields({ owner: text, finalizer: text, members: list(text), code: text })),
  stage: optional(fields({ stage: text, total: matching(/^\d{1,20}$/, "a total") })),
  open: list(
    fields({
      code: text,
      severity,
      text,
      fix: list(text),
      since: text,
    }),
  ),
});

const nothing: Seen = { contract: undefined, roles: undefined, stage: undefined, open: [] };

/** Reads what a guard has seen in this folder. @throws InputError `CONFIG_INVALID` for another file. */
export async function readGuardFile({ cwd, signal }: Io): Promise<Seen> {
  const refuse = (place: string, problem: string): InputError =>
    new InputError(`${place} ${problem}`, {
      code: "CONFIG_INVALID",
      metaMessages: ["Move it away: the guard writes it again."],
    });
  const file = await ifExists(readJsonFile(join(cwd, guardFileName), { name: guardFileName, refuse, signal }));
  if (file === undefined) return nothing;
  return readSeen(file);
}

/** Returns what was seen of a contract: nothing, if it was another one. */
export function seenOf(seen: Seen, { vm, chainId, address }: ContractIdentity): Seen {
  const contract = [vm, chainId, address].join(":");
  return { ...(seen.contract === undefined || seen.contract === contract ? seen : nothing), contract };
}

export async function writeGuardFile({ cwd }: Io, seen: Seen): Promise<void> {
  const path = join(cwd, guardFileName);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeWholeFile(path, `${JSON.stringify(seen, undefined, 2)}\n`);
  } catch (cause) {
    throw fileUnwritable(guardFileName, cause, ["The guard keeps there what it has seen."]);
  }
}
