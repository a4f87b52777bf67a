import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";

declare module "vitest" {
  export interface ProvidedContext {
    /** Where the folders of a run are. */
    readonly temporaryFolders: string;
  }
}

/** Creates an empty folder, which is removed when the run of tests ends. */
export function temporaryFolder(name = "vipscore"): string {
  return mkdtempSync(join(inject("temporaryFolders"), `${name}-`));
}
