import { join } from "node:path";
import { findChromium } from "@vipscore/testkit/findChromium";
import { runProgram } from "../runProgram.ts";
import { withPageChain } from "./withPageChain.ts";

/**
 * Runs the page that `vipscore new page` wrote as its README says: a local chain with a token, and the page's own test in Chromium.
 *
 * @param folder The project, with the page in its folder `page`.
 */
export async function checkPage(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const page = join(folder, "page");
  const chromium = await findChromium();
  const { executablePath, env: variables } = chromium.launch;
  try {
    await withPageChain(page, env, async () => {
      const testEnv = { ...variables, ...env, CHROMIUM: executablePath, NFTS: "Cats 1" };
      const output = await runProgram("npm", ["test"], page, testEnv);
      console.log(`  npm test: ${/^.*pass \d+$/m.exec(output)?.[0]}`);
      await runProgram("npm", ["run", "build"], page, env);
    });
  } finally {
    await chromium[Symbol.asyncDispose]();
  }
}
