import { testConfig } from "@vipscore/testkit/testConfig";

export default testConfig({ coveredLines: 90 });
