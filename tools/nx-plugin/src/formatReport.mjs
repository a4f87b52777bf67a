import { stripVTControlCharacters } from "node:util";
import { explainFailure } from "./explainFailure.mjs";

/**
 * The end of one task.
 *
 * @typedef {object} EndedTask
 * @property {string} status Nx's status: `success`, `failure`, `skipped`, or one of several for a cached result.
 * @property {string} [terminalOutput] What the task printed.
 * @property {{ readonly id: string, readonly startTime?: number, readonly endTime?: number }} task `project:target`, and when
 *   it ran, in milliseconds.
 */

/**
 * Returns the seconds that each task took, the longest last, and for each failed task the lines that explain it. A task
 * skipped because another task failed counts as a failure: it has proved nothing.
 *
 * @param {readonly EndedTask[]} tasks
 */
export function formatReport(tasks) {
  const timed = tasks.map(({ status, task }) => ({ id: task.id, status, seconds: secondsOf(task) }));
  const lines = timed
    .toSorted((a, b) => a.seconds - b.seconds)
    .map(
      ({ id, status, seconds }) =>
        `${seconds.toFixed(1).padStart(7)} s  ${id}${status === "success" ? "" : `  (${status})`}`,
    );
  const failed = tasks.filter(({ status }) => status === "failure");
  const skipped = tasks.filter(({ status }) => status === "skipped");
  for (const { task, terminalOutput = "" } of failed) {
    const { id } = task;
    const explanation = explainFailure(withoutPrefix(stripVTControlCharacters(terminalOutput), id));
    lines.push("", `✗ ${id}`, ...explanation.map((line) => `    ${line}`));
  }
  if (skipped.length > 0)
    lines.push("", `not run, because an earlier task failed: ${skipped.map(({ task }) => task.id).join(", ")}`);
  return lines.join("\n");
}

/** @param {EndedTask["task"]} task */
function secondsOf({ startTime, endTime }) {
  return startTime === undefined || endTime === undefined ? 0 : (endTime - startTime) / 1_000;
}

/**
 * Removes the project's name, which Nx puts before each line when it prints several tasks at once.
 *
 * @param {string} output
 * @param {string} id
 */
function withoutPrefix(output, id) {
  const prefix = `${id.slice(0, id.lastIndexOf(":"))}: `;
  return output
    .split("\n")
    .map((line) => (line.startsWith(prefix) ? line.slice(prefix.length) : line))
    .join("\n");
}
