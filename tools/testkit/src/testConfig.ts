import type { ViteUserConfig } from "vitest/config";
import type { InlineConfig } from "vitest/node";
import { hangBoundMs } from "./hangBound.ts";

/** Options that differ between packages. */
export interface TestOptions extends Pick<
  InlineConfig,
  "globalSetup" | "include" | "isolate" | "maxWorkers" | "reporters"
> {
  /** Percentage of lines in `src` that the tests must cover; measured with VIPSCORE_COVERAGE=true. Default: not measured. */
  readonly coveredLines?: number;
}

/**
 * Returns the configuration of a package's tests. By default the tests are `*.test.ts` in `src` and `test`.
 *
 * Only a test that hangs fails by time: every bound here is far above what the slowest machine needs.
 *
 * @example
 * export default testConfig({ coveredLines: 90 });
 */
export function testConfig({ coveredLines, ...options }: TestOptions = {}): ViteUserConfig {
  return {
    ssr: { resolve: { conditions: ["@vipscore/source"] } },
    test: {
      include: ["src/**/*.test.ts", "test/**/*.test.ts"],
      // One worker for all files of a package loads Hardhat, viem and the chain libraries once, which saves a third of the time.
      // A package whose tests mock modules needs a worker for each file.
      isolate: false,
      ...options,
      // Above the bound of a single wait, so that the wait's own message shows.
      testTimeout: 1.5 * hangBoundMs,
      hookTimeout: 1.5 * hangBoundMs,
      teardownTimeout: hangBoundMs,
      expect: { poll: { timeout: hangBoundMs, interval: 20 } },
      retry: 0,
      coverage: {
        // A single test file would miss the threshold.
        enabled: coveredLines !== undefined && process.env["VIPSCORE_COVERAGE"] === "true",
        provider: "v8",
        include: ["src/**/*.ts"],
        exclude: ["src/**/*.test.ts", "src/**/*.test-d.ts", "src/index.ts"],
        reporter: ["text-summary"],
        ...(coveredLines !== undefined && { thresholds: { lines: coveredLines } }),
      },
    },
  };
}
