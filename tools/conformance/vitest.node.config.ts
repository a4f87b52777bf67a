import { defineConfig } from "vitest/config";
import { ConformanceReporter } from "./src/report/conformanceReporter.ts";

export default defineConfig({
  ssr: { resolve: { conditions: ["@vipscore/source"] } },
  test: {
    include: ["test-node/**/*.test.ts"],
    reporters: ["default", new ConformanceReporter()],
    // One for each VM: they wait for their nodes more than they compute.
    maxWorkers: 3,
    // A thousand rows are written to a real node; its first start may build it.
    testTimeout: 60_000,
    hookTimeout: 600_000,
  },
});
