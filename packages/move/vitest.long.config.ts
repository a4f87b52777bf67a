import { testConfig } from "@vipscore/testkit/testConfig";

export default testConfig({ globalSetup: ["test/compileFixtures.ts"], include: ["test-long/**/*.test.ts"] });
