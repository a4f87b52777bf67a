import { testConfig } from "@vipscore/testkit/testConfig";

export default testConfig({ globalSetup: ["test/postgres/globalPostgres.ts"], coveredLines: 90 });
