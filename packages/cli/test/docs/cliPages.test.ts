import { basename } from "node:path";
import { expect, it } from "vitest";
import { readCliPages } from "../../scripts/docsFolder.ts";

const pages = await readCliPages();

it.each(pages.map((page) => [`docs/cli/${basename(page.path)}`, page] as const))(
  "%s is what `npm run docs:cli` writes",
  (name, { found, wanted }) => {
    expect(found, `${name} is out of date: run \`npm run docs:cli\``).toBe(wanted);
  },
);
