import { testConfig } from "@vipscore/testkit/testConfig";

export default testConfig({
  globalSetup: ["test/postgres/globalPostgres.ts", "test/store/scratchFolder.ts"],
  coveredLines: 90,
});
