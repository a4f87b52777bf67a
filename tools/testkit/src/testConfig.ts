import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ViteUserConfigFnObject } from "vitest/config";
import type { InlineConfig } from "vitest/node";
import { fuzzRuns } from "./fuzzRuns.ts";
import { hangBoundMs, hangBoundOf } from "./hangBound.ts";

/** Tests run the sources of the workspace's packages. */
const resolve = { conditions: ["@vipscore/source"] };

/** Options that differ between packages. */
export interface TestOptions extends Pick<InlineConfig, "globalSetup" | "isolate" | "maxWorkers" | "reporters"> {
  /** Percentage of lines in `src` that the tests must cover; measured in the mode `coverage`. Default: not measured. */
  readonly coveredLines?: number;
}

/**
 * Returns the configuration of a package's tests. The folder of a test says what it needs: `vitest run --mode quick` runs
 * those in `src`, `--mode node` those in `test`, `--mode docs` and `--mode browser` those in the folder of `test` with that name,
 * `--mode long` those in `test-long`. Without a mode: `src` and `test`. Only tests in `src` start without the global set-up.
 *
 * Only a test that hangs fails by time: every bound here is far above what the slowest machine needs.
 *
 * @example
 * export default testConfig({ coveredLines: 90 });
 */
export function testConfig({ coveredLines, globalSetup = [], ...options }: TestOptions = {}): ViteUserConfigFnObject {
  const temporaryFolders = mkdtempSync(join(tmpdir(), "vipscore-tests-"));
  // Not by a hook of a test, whose file may share the folder with others.
  process.once("exit", () => rmSync(temporaryFolders, { recursive: true, force: true }));
  return ({ mode }) => ({
    ssr: { resolve },
    // Vitest's environment for global set-up, which otherwise needs the packages built.
    environments: { __vitest__: { resolve } },
    test: {
      include: foldersOf(mode).map((folder) => `${folder}/**/*.test.ts`),
      exclude: mode === "docs" || mode === "browser" ? [] : ["test/{docs,browser}/**"],
      provide: { temporaryFolders },
      globalSetup: mode === "quick" ? [] : globalSetup,
      // One worker for all files of a package loads Hardhat, viem and the chain libraries once, which saves a third of the time.
      // A package whose tests mock modules needs a worker for each file.
      isolate: false,
      ...options,
      // Above the bound of a single wait, so that the wait's own message shows.
      testTimeout: hangBoundOf(1.5 * fuzzRuns(1)),
      hookTimeout: 1.5 * hangBoundMs,
      teardownTimeout: hangBoundMs,
      expect: { poll: { timeout: hangBoundMs, interval: 20 } },
      retry: 0,
      coverage: {
        enabled: coveredLines !== undefined && mode === "coverage",
        provider: "v8",
        include: ["src/**/*.ts"],
        exclude: ["src/**/*.test.ts", "src/**/*.test-d.ts", "src/index.ts"],
        reporter: ["text-summary"],
        ...(coveredLines !== undefined && { thresholds: { lines: coveredLines } }),
      },
    },
  });
}

function foldersOf(mode: string): readonly string[] {
  switch (mode) {
    case "quick":
      return ["src"];
    case "node":
      return ["test"];
    case "docs":
    case "browser":
      return [`test/${mode}`];
    case "long":
      return ["test-long"];
    // Vitest's own default, and `coverage`.
    default:
      return ["src", "test"];
  }
}
