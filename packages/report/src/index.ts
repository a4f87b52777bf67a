export { compareScores, type ScoreComparison } from "./compareScores.ts";
export { Markup, markup } from "./markup.ts";
export { pagePolicy } from "./pagePolicy.ts";
export { readPush, requireOwnPush, type ReadPush } from "./readPush.ts";
export { comparisonTables, type ComparisonPage, renderComparison } from "./renderComparison.ts";
export { renderReport } from "./renderReport.ts";
export type {
  ReportBlock,
  ReportClaimCost,
  ReportClaimTarget,
  ReportEvidence,
  ReportInput,
  ReportL1,
  ReportPush,
  ReportRow,
  ReportSnapshot,
  ReportTransaction,
} from "./reportInput.ts";
export { styles } from "./styles.ts";
