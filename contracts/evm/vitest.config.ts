import { testConfig } from "@vipscore/testkit/testConfig";

export default testConfig({ globalSetup: ["test/buildContracts.ts"] });
