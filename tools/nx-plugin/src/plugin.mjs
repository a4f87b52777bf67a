import { dirname } from "node:path";
import { formatReport } from "./formatReport.mjs";
import { testTargets } from "./testTargets.mjs";

export const name = "vipscore";

/**
 * Gives each package with a Vitest configuration the targets of its test folders. JavaScript, as all of this plugin, because
 * Nx loads it before anything is built.
 *
 * @type {import("nx/src/project-graph/plugins/public-api").CreateNodes}
 */
export const createNodes = [
  "{packages,contracts,tools}/*/vitest.config.ts",
  (files, _options, { workspaceRoot }) =>
    files.map((file) => {
      const root = dirname(file);
      return [file, { projects: { [root]: { root, targets: testTargets(root, workspaceRoot) } } }];
    }),
];

/**
 * Prints the report once all tasks of a run have ended.
 *
 * @type {import("nx/src/project-graph/plugins/public-api").PostTasksExecution}
 */
export function postTasksExecution(_options, { taskResults }) {
  console.error(formatReport(Object.values(taskResults)));
}
