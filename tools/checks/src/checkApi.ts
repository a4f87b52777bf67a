import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { publicPackages } from "@vipscore/testkit/publicPackages";
import { apiReport } from "./apiReport.ts";

/**
 * Compares what each public package exports with its committed report, `packages/<name>/api.txt`, so that a change of the API is
 * seen in review. `--write` writes the reports. Needs the built declarations.
 */
const isWriting = process.argv.includes("--write");
const root = process.cwd();
const packages = publicPackages(root);
const program = ts.createProgram({
  rootNames: packages.flatMap(({ entries }) => entries.map(({ types }) => types)),
  options: {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    skipLibCheck: true,
    noEmit: true,
  },
});
let changed = 0;
for (const found of packages) {
  const path = join(found.folder, "api.txt");
  const report = apiReport(program, found);
  if (isWriting) writeFileSync(path, report);
  else if (!existsSync(path) || readFileSync(path, "utf8") !== report) {
    changed += 1;
    console.error(`${relative(root, path)} differs from what ${found.name} exports`);
  }
}
if (changed > 0) {
  console.error("Run `npm run docs:api`, look at the differences, and choose the version plan that they need.");
  process.exitCode = 1;
}
