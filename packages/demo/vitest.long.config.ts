import { testConfig } from "@vipscore/testkit/testConfig";

export default testConfig({ include: ["test-long/**/*.test.ts"] });
