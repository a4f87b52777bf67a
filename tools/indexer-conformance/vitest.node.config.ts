import { defineConfig } from "vitest/config";

export default defineConfig({
  ssr: { resolve: { conditions: ["@vipscore/source"] } },
  test: { include: ["test-node/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 120_000 },
});
