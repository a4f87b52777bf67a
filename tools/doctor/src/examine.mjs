import { formatFindings, formatMissing } from "./formatFindings.mjs";
import { requirements } from "./requirements.mjs";
import { detectSystem } from "./system.mjs";

/**
 * @typedef {"test" | "test:all" | "demo" | "release:rehearse"} Job What the machine is needed for: the npm script of that
 *   name.
 */

/** @type {readonly Job[]} */
export const jobNames = ["test", "test:all", "demo", "release:rehearse"];

/**
 * @param {string | undefined} name
 * @returns {Job | undefined}
 */
export function jobOf(name) {
  return jobNames.find((job) => job === name);
}

/**
 * Compares this machine with what a job needs, in about a second, and prints what is missing and how to install it. Returns
 * whether the job can start.
 *
 * @param {Job} job
 * @param {{ readonly isQuiet: boolean }} options `isQuiet`: prints nothing unless something is missing.
 */
export async function examine(job, { isQuiet }) {
  const findings = await Promise.all(
    requirements
      .filter(({ jobs }) => job in jobs)
      .map(async (requirement) => ({ requirement, found: await requirement.find() })),
  );
  const missing = findings.filter(({ found }) => !found.isEnough);
  if (!isQuiet || missing.length > 0) console.error(formatFindings(findings));
  if (missing.length > 0) console.error(`\n${formatMissing(missing, job, detectSystem())}`);
  return !missing.some(({ requirement }) => requirement.jobs[job] === "required");
}
