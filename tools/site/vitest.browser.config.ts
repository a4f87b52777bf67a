import { testConfig } from "@vipscore/testkit/testConfig";

export default testConfig({ include: ["test-browser/**/*.test.ts"] });
