import { availableParallelism } from "node:os";
import { testConfig } from "@vipscore/testkit/testConfig";

// More workers than usual: the tests wait for nodes and processes more than they compute.
export default testConfig({ maxWorkers: Math.max(4, availableParallelism()) });
