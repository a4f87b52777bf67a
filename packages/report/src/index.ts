export { renderReport } from "./renderReport.ts";
export type {
  ReportBlock,
  ReportEvidence,
  ReportInput,
  ReportL1,
  ReportPush,
  ReportRow,
  ReportSnapshot,
  ReportTransaction,
} from "./reportInput.ts";
