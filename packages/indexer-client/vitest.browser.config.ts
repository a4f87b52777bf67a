import { defineConfig } from "vitest/config";

export default defineConfig({
  ssr: { resolve: { conditions: ["@vipscore/source"] } },
  test: { include: ["test-browser/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 },
});
