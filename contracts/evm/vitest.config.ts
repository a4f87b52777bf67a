import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/buildContracts.ts"],
    // The fuzz is one test that runs for a minute on a slow machine.
    testTimeout: 300_000,
    hookTimeout: 120_000,
    retry: 0,
  },
});
