import { defineConfig } from "vitest/config";

export default defineConfig({
  ssr: { resolve: { conditions: ["@vipscore/source"] } },
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // Tests of the adapter write thousands of rows to a real node.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    coverage: {
      // Measured where everything runs; a single file on its own would miss the threshold.
      enabled: process.env["CI"] === "true",
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["src/**/*.test.ts", "src/index.ts"],
      reporter: ["text-summary"],
      thresholds: { lines: 90 },
    },
  },
});
