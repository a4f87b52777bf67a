export { publishedCode, readContractCode, type ContractCode } from "./contractCode.ts";
export {
  junitReport,
  type GasPerRow,
  runConformance,
  type RuleResult,
  type RunConformanceOptions,
  type ScenarioResult,
} from "./runConformance.ts";
export { reportJson, reportLines, reportOf, type ConformanceReport } from "./report.ts";
export { testContract, type ConformanceJob, type TestContractOptions } from "./testContract.ts";
export { openSubject } from "./openSubject.ts";
export type { Difference, Rule, Scenario } from "./scenario.ts";
export { scenarios } from "./scenarios/scenarios.ts";
export type { OpenSubjectOptions, Subject } from "./subject.ts";
export { checkSources } from "./sources/checkSources.ts";
export type { Construction } from "./sources/construction.ts";
