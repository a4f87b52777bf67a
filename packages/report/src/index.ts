export { renderReport } from "./renderReport.ts";
export type { ReportInput, ReportL1, ReportPush, ReportRow, ReportSnapshot, ReportTransaction } from "./reportInput.ts";
