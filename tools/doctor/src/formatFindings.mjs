/**
 * @typedef {object} Finding
 * @property {import("./requirements.mjs").Requirement} requirement
 * @property {import("./requirements.mjs").Found} found
 */

/**
 * Returns a line for each requirement: the version found and the version wanted.
 *
 * @param {readonly Finding[]} findings
 */
export function formatFindings(findings) {
  const width = Math.max(...findings.map(({ requirement }) => requirement.name.length));
  return findings
    .map(({ requirement, found: { version, isEnough } }) => {
      const wanted = requirement.wanted === "" || isEnough ? "" : `, wanted: ${requirement.wanted}`;
      return `${isEnough ? "✓" : "✗"} ${requirement.name.padEnd(width)}  ${version ?? "not found"}${wanted}`;
    })
    .join("\n");
}

/**
 * Returns what is missing, what it is for, and how to install it.
 *
 * @param {readonly Finding[]} missing
 * @param {import("./examine.mjs").Job} job
 * @param {import("./system.mjs").System} system
 */
export function formatMissing(missing, job, system) {
  const lines = missing.flatMap(({ requirement }) => {
    const { name, wanted, purpose, install } = requirement;
    // Only the demo runs without some of them.
    const effect =
      requirement.jobs[job] === "required"
        ? `needed for ${purpose}`
        : `without it the demo leaves out ${purpose} and ends with status 3; npm run demo -- --vm evm does not need it`;
    return [`${[name, wanted].filter(Boolean).join(" ")}: ${effect}`, `  ${install[system]}`];
  });
  return ["Missing on this machine:", ...lines].join("\n");
}
