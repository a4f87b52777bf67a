import { testConfig } from "@vipscore/testkit/testConfig";

// Refusals, faults and whole signatures are tests of the command, on a software device; so no part of the lines is asked for here.
export default testConfig();
