import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { marker, renderCliPages } from "./cliPages.ts";

/** The folder of the pages. */
export const docsFolder = join(import.meta.dirname, "../../../docs/cli");

/** One page as it is and as it should be. */
export interface CliPage {
  readonly path: string;
  /** undefined where the file is missing. */
  readonly found: string | undefined;
  /** undefined where no command of this name is left. */
  readonly wanted: string | undefined;
}

/**
 * Returns all pages of `docs/cli` that are generated, each with what follows its marker. Pages without a marker are written by
 * hand and left out.
 */
export async function readCliPages(): Promise<readonly CliPage[]> {
  const generated = renderCliPages();
  const names = new Set([...generated.keys(), ...(await readdir(docsFolder))]);
  const pages = await Promise.all(
    [...names].map(async (name): Promise<CliPage | undefined> => {
      const path = join(docsFolder, name);
      const found = await readFile(path, "utf8").catch(() => undefined);
      const [, byHand] = found?.split(marker) ?? [];
      const head = generated.get(name);
      if (head === undefined) return byHand === undefined ? undefined : { path, found, wanted: undefined };
      // Plugins would be looked for in the current folder, and Markdown needs none.
      const options = { ...(await resolveConfig(path)), plugins: [], filepath: path };
      return {
        path,
        found,
        wanted: await format(`${head}\n${marker}\n${byHand ?? ""}`, options),
      };
    }),
  );
  return pages.filter((page) => page !== undefined);
}
