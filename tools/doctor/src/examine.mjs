import { findProgram, requirements } from "./requirements.mjs";

/** @type {readonly import("./requirements.mjs").Job[]} */
export const jobs = ["test", "test:all", "demo", "release:rehearse"];

/**
 * Compares this machine with what a job needs, in about a second, and prints what is missing and how to install it. Returns
 * whether the job can start.
 *
 * @param {import("./requirements.mjs").Job} job
 * @param {boolean} isQuiet Whether to print nothing unless something is missing.
 */
export async function examine(job, isQuiet) {
  const needed = requirements.filter((each) => each.jobs.includes(job));
  const findings = await Promise.all(needed.map(async (each) => Object.assign(await each.find(), each)));
  const missing = findings.filter(({ isEnough }) => !isEnough);
  if (isQuiet && missing.length === 0) return true;
  const width = Math.max(...findings.map(({ name }) => name.length));
  for (const { name, wanted, version, isEnough } of findings) {
    const mark = isEnough ? "✓" : "✗";
    const lack = wanted === "" || isEnough ? "" : `, wanted: ${wanted}`;
    console.error(`${mark} ${name.padEnd(width)}  ${version ?? "not found"}${lack}`);
  }
  if (missing.length > 0) console.error("\nMissing on this machine:");
  const isOptional = (/** @type {string} */ name) => job === "demo" && name !== "Node";
  const system = process.platform === "darwin" ? 1 : findProgram("apt-get") === undefined ? 2 : 0;
  for (const { name, wanted, purpose, install } of missing) {
    const effect = isOptional(name)
      ? `without it the demo leaves out ${purpose} and ends with status 3; npm run demo -- --vm evm does not need it`
      : `needed for ${purpose}`;
    console.error(`${[name, wanted].filter(Boolean).join(" ")}: ${effect}\n  ${install[system]}`);
  }
  return missing.every(({ name }) => isOptional(name));
}
