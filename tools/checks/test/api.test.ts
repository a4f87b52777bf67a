import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { apiReport } from "../src/apiReport.ts";

/** The report of a package whose built declarations are these files. */
function reportOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  const dist = join(folder, "packages", "sample", "dist");
  mkdirSync(dist, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dist, name), text);
  const types = join(dist, "index.d.ts");
  const options = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext };
  const entries = [{ specifier: "@vipscore/sample", source: types, types }];
  const sample = { name: "@vipscore/sample", folder: "packages/sample", entries };
  return apiReport(ts.createProgram([types], options), sample);
}

test("a report has the exported names, and each declaration without comments and private members", () => {
  const report = reportOf({
    "index.d.ts": 'export { Counter, start as begin } from "./counter.js";\n',
    "counter.d.ts": `
      /** Counts. */
      export declare class Counter {
        #private;
        private last;
        /** The count. */
        readonly count: number;
      }
      export declare const start: number;
    `,
  });
  expect(report.split("\n\n").slice(1)).toEqual([
    "== @vipscore/sample",
    "Counter\nbegin",
    "== declarations",
    "export declare class Counter {\n    readonly count: number;\n}",
    "begin is:\nexport declare const start: number;\n",
  ]);
});

test("a declaration that only others use is part of the report", () => {
  const report = reportOf({
    "index.d.ts": 'export type { Options } from "./options.js";\n',
    "options.d.ts": `
      export interface Options extends Base { readonly level: Level; }
      interface Base { readonly id: bigint; }
      type Level = Inner | "high";
      type Inner = "low";
      interface Unrelated { readonly id: bigint; }
    `,
  });
  const [, used = ""] = report.split("== used by them, not exported");
  expect(used).toContain("interface Base {");
  expect(used).toContain('type Level = Inner | "high";');
  expect(used).toContain('type Inner = "low";');
  expect(report).not.toContain("Unrelated");
});

test("an entry that was not built is an error", () => {
  expect(() => reportOf({ "other.d.ts": "export {};\n" })).toThrow("npm run build");
});
