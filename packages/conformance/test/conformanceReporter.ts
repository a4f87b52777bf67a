import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Reporter, TestModule, Vitest } from "vitest/node";
import { conformanceReport, markdownReport, terminalTable, type ScenarioResult } from "./conformanceReport.ts";

const folder = join(import.meta.dirname, "..", "dist");

/** Prints the table scenario × node at the end of a run and writes it to `dist/report.md` and `dist/report.json`. */
export class ConformanceReporter implements Reporter {
  #isFiltered = false;

  onInit(vitest: Vitest): void {
    this.#isFiltered = vitest.config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // In the order of the VMs, whichever finished first.
    const ordered = [...modules].sort((a, b) => (a.moduleId < b.moduleId ? -1 : 1));
    const all = ordered.flatMap(resultsOf);
    // A scenario that did not run counts as failed, unless it was filtered out.
    const results = all.filter(({ state }) => !this.#isFiltered || state !== "skipped");
    if (results.length === 0) return;
    const report = conformanceReport(results);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "report.json"), `${JSON.stringify(report, undefined, 2)}\n`);
    writeFileSync(join(folder, "report.md"), markdownReport(report));
    console.log(`\n${terminalTable(report)}\nwritten to packages/conformance/dist/report.md and report.json`);
  }
}

function resultsOf(module: TestModule): readonly (ScenarioResult & { readonly state: string })[] {
  const results: (ScenarioResult & { readonly state: string })[] = [];
  for (const test of module.children.allTests()) {
    const { conformance } = test.meta();
    const { state } = test.result();
    if (conformance !== undefined) results.push({ ...conformance, state, passed: state === "passed" });
  }
  return results;
}
