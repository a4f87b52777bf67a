import { defineConfig } from "vitest/config";

export default defineConfig({
  ssr: { resolve: { conditions: ["@vipscore/source"] } },
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/postgres/globalPostgres.ts"],
    // Tests load some hundred thousand rows, or run against real nodes.
    testTimeout: 60_000,
    hookTimeout: 120_000,
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
