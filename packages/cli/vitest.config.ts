import { testConfig } from "@vipscore/testkit/testConfig";

// More workers than usual: the tests wait for nodes and processes more than they compute.
export default testConfig({ maxWorkers: "100%" });
