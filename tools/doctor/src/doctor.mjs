/**
 * Checks what the tests or the demo need and this machine lacks, in about a second, and says how to install it.
 *
 * `doctor.mjs [tests|demo] [--quiet]`: exit status 1 if a requirement is missing, 2 on a usage error. `--quiet` prints
 * nothing when nothing is missing.
 *
 * Plain JavaScript without dependencies: it runs before `npm ci`, and on a Node that is too old to run TypeScript.
 */
import { formatFindings, formatMissing } from "./formatFindings.mjs";
import { requirements } from "./requirements.mjs";
import { detectSystem } from "./system.mjs";

const jobs = /** @type {const} */ (["tests", "demo"]);
const args = process.argv.slice(2);
const isQuiet = args.includes("--quiet");
const [name = "tests", ...rest] = args.filter((arg) => arg !== "--quiet");
const job = jobs.find((known) => known === name);

if (job === undefined || rest.length > 0) {
  console.error(`usage: npm run doctor [${jobs.join("|")}]`);
  process.exitCode = 2;
} else {
  const system = detectSystem();
  const findings = await Promise.all(
    requirements
      .filter((requirement) => requirement[job] !== "unused")
      .map(async (requirement) => ({ requirement, found: await requirement.find() })),
  );
  const missing = findings.filter(({ found }) => !found.isEnough);
  if (!isQuiet || missing.length > 0) console.error(formatFindings(findings));
  if (missing.length > 0) console.error(`\n${formatMissing(missing, job, system)}`);
  if (missing.some(({ requirement }) => requirement[job] === "required")) process.exitCode = 1;
}
