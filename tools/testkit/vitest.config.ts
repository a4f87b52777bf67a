import { testConfig } from "./src/testConfig.ts";

export default testConfig();
