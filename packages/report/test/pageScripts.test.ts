import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { bundlePage } from "../scripts/bundlePage.ts";

test("the generated scripts are those of page/", async () => {
  const written = await readFile(new URL("../src/pageScripts.generated.ts", import.meta.url), "utf8");
  expect(written === (await bundlePage()), "run `npm run page` in packages/report").toBe(true);
});
