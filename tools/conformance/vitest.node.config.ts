import { testConfig } from "@vipscore/testkit/testConfig";
import { ConformanceReporter } from "./src/report/conformanceReporter.ts";

export default testConfig({
  include: ["test-node/**/*.test.ts"],
  reporters: ["default", new ConformanceReporter()],
  // One per VM: they wait for their nodes more than they compute.
  maxWorkers: 3,
});
