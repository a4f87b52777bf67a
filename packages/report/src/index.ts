export { renderReport } from "./renderReport.ts";
export type {
  ReportBlock,
  ReportEvidence,
  ReportInput,
  ReportClaimTarget,
  ReportL1,
  ReportPush,
  ReportRow,
  ReportSnapshot,
  ReportTransaction,
} from "./reportInput.ts";
