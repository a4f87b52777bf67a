import { readFile } from "node:fs/promises";
import type { ContractFeatures } from "./contractIdentity.ts";
import type { DesiredState } from "./deployedContract.ts";
import { InputError, systemErrorCode } from "./errors/inputError.ts";

/** Reads a file with the code of a contract. @throws InputError `FILE_UNREADABLE`. */
export async function readArtifact(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new InputError(`the artifact ${file} cannot be read (${systemErrorCode(cause)})`, {
      code: "FILE_UNREADABLE",
      cause,
    });
  }
}

/** Creates the error for a file that cannot be deployed. @param hints - What to do about it. */
export function artifactRefused(file: string, problem: string, hints: readonly string[] = []): InputError {
  return new InputError(`${file} cannot be deployed: ${problem}`, { metaMessages: [...hints, "Nothing was sent."] });
}

/** @throws InputError `INPUT_INVALID` if code without roles is to get a finalizer or another owner. */
export function requireRoles(
  { roles }: ContractFeatures,
  { finalizer, owner }: Pick<DesiredState, "finalizer" | "owner">,
): void {
  if (roles || (finalizer === undefined && owner === undefined)) return;
  throw new InputError("the contract to deploy has no owner and no finalizer", {
    metaMessages: [
      {
        code: "reference-roles",
        text: "Deploy it without owner and finalizer, or build it on the vipscore contract.",
      },
      "Nothing was sent.",
    ],
  });
}
