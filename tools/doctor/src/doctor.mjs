/**
 * Checks what the tests, the demo or the rehearsal of a release need and this machine lacks, and says how to install it:
 * `doctor.mjs [test|test:all|demo|release:rehearse]`. Exit status 1 if a requirement is missing, 2 on a usage error.
 *
 * Plain JavaScript without dependencies: it runs before `npm ci`, and on a Node that is too old to run TypeScript.
 */
import { examine, jobNames, jobOf } from "./examine.mjs";

const job = jobOf(process.argv[2] ?? "test:all");

if (job === undefined || process.argv.length > 3) {
  console.error(`usage: npm run doctor [${jobNames.join("|")}]`);
  process.exitCode = 2;
} else if (!(await examine(job, { isQuiet: false }))) process.exitCode = 1;
