import { formatReport } from "./formatReport.mjs";

export const name = "task-report";

/**
 * Prints the report once all tasks of a run have ended. JavaScript, because Nx loads it before anything is
 * built.
 *
 * @type {import("nx/src/project-graph/plugins/public-api").PostTasksExecution}
 */
export function postTasksExecution(_options, { taskResults }) {
  console.error(formatReport(Object.values(taskResults)));
}
