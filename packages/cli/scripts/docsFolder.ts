import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { marker, renderCliPages } from "./cliPages.ts";

/** The folder of the pages. */
export const docsFolder = join(import.meta.dirname, "../../../docs/cli");

/** A page's current and expected content. */
export interface CliPage {
  readonly path: string;
  /** Undefined if the file is missing. */
  readonly found: string | undefined;
  /** Undefined if the command no longer exists. */
  readonly wanted: string | undefined;
}

/**
 * Returns all generated pages of `docs/cli`, each with the text after its marker. Skips pages without a marker: they are
 * written by hand.
 */
export async function readCliPages(): Promise<readonly CliPage[]> {
  const generated = await renderCliPages();
  const names = new Set([...generated.keys(), ...(await readdir(docsFolder))]);
  const pages = await Promise.all(
    [...names].map(async (name): Promise<CliPage | undefined> => {
      const path = join(docsFolder, name);
      const found = await readFile(path, "utf8").catch(() => undefined);
      const [, byHand] = found?.split(marker) ?? [];
      const head = generated.get(name);
      if (head === undefined) return byHand === undefined ? undefined : { path, found, wanted: undefined };
      // Prettier would look for plugins in the current folder, and Markdown needs none.
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
