import { globSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns the test targets of a package, one for each folder of tests that it has:
 *
 * - `test`: `src` and `test-quick`, what `npm test` runs;
 * - `test-node`: `test`;
 * - a target with the folder's name for any other folder `test-…`;
 * - `test-coverage`, for a package that is published: all that count for its coverage.
 *
 * Dependencies, inputs and caching are the target defaults of nx.json.
 *
 * @param {string} root The package's folder, relative to `workspaceRoot`.
 * @param {string} workspaceRoot
 * @returns {Record<string, import("nx/src/devkit-exports").TargetConfiguration>}
 */
export function testTargets(root, workspaceRoot) {
  const folder = join(workspaceRoot, root);
  /** @param {string} name */
  const hasTests = (name) => globSync(`${name}/**/*.test.ts`, { cwd: folder }).length > 0;
  const named = readdirSync(folder).filter((name) => name.startsWith("test-") && name !== "test-quick");
  /** @type {(readonly [target: string, mode: string])[]} */
  const targets = named.filter(hasTests).map((name) => [name, name.slice("test-".length)]);
  if (hasTests("src") || hasTests("test-quick")) targets.push(["test", "quick"]);
  if (hasTests("test")) targets.push(["test-node", "node"]);
  if (root.startsWith("packages/")) targets.push(["test-coverage", "coverage"]);
  return Object.fromEntries(
    targets.map(([target, mode]) => [
      target,
      { command: `vitest run --mode ${mode}`, options: { cwd: "{projectRoot}" } },
    ]),
  );
}
