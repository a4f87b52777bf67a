export { publishedCode, readContractCode, type ContractCode } from "./contractCode.ts";
export { openSubject, type OpenSubjectOptions } from "./openSubject.ts";
export type { Difference, Rule, Scenario } from "./scenario.ts";
export { scenarios } from "./scenarios/scenarios.ts";
export type { Subject } from "./subject.ts";
