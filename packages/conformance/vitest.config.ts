import { testConfig } from "@vipscore/testkit/testConfig";
import { ConformanceReporter } from "./test/conformanceReporter.ts";

export default testConfig({
  reporters: ["default", new ConformanceReporter()],
  // One worker per VM: they spend more time waiting for nodes than computing.
  maxWorkers: 3,
});
