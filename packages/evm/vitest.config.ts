import { testConfig } from "@vipscore/testkit/testConfig";

export default testConfig({ globalSetup: ["test/compileFixtures.ts"], coveredLines: 90 });
