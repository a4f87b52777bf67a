/**
 * Checks what the tests, the demo or the rehearsal of a release need and this machine lacks, and says how to install it:
 * `doctor.mjs [test|test:all|demo|release:rehearse]`. Exit status 1 if a requirement is missing, 2 on a usage error.
 *
 * Plain JavaScript without dependencies: it runs before `npm ci`, and on a Node that is too old to run TypeScript.
 */
import { examine, jobs } from "./examine.mjs";

const [, , given = "test:all", ...more] = process.argv;
const job = jobs.find((each) => each === given);
if (job === undefined || more.length > 0) {
  console.error(`usage: npm run doctor [${jobs.join("|")}]`);
  process.exitCode = 2;
} else if (!(await examine(job, false))) process.exitCode = 1;
