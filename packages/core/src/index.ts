export type { Account } from "./account.ts";
export { formatBech32, formatChecksummed, type AccountOptions, parseAccount } from "./account/readAccount.ts";
export type { ContractFeatures, ContractIdentity, Vm } from "./contractIdentity.ts";
export type { DeployedContract, DeployEvent, DeployParameters } from "./deployment.ts";
export {
  BroadcastError,
  type BroadcastRefusal,
  ExecutionError,
  type Hint,
  isFailedCheck,
  NodeError,
  VipError,
  type VipErrorOptions,
} from "./errors/vipError.ts";
export { errorCodes, exitStatusOf, type ErrorCategory, type ErrorCode } from "./errors/errorCodes.ts";
export {
  fileUnwritable,
  systemErrorCode,
  InputError,
  type InputIssue,
  type InputIssueReason,
} from "./errors/inputError.ts";
export type { NewestHeightOptions, PinnedOptions, ReadOptions, SignalOptions } from "./readOptions.ts";
export { type Score, stage, type Stage, u64Max } from "./stage.ts";
export type {
  CallRow,
  ContractCall,
  ContractControl,
  EntryPointOptions,
  FeeQuote,
  GasQuote,
  HeldScores,
  OtherCall,
  PricedRow,
  PriceOptions,
  RowToWrite,
  ScoreContract,
  SignedTransaction,
  SignOptions,
  SimulateOptions,
  Simulation,
  StageInfo,
  TransactionLimits,
  TransactionStatus,
} from "./scoreContract.ts";
export type { SigningAccount } from "./openContract.ts";
export { callContract, checkCall, mayFinalize } from "./push/callContract.ts";
export {
  finalizeStage,
  prepareFinalize,
  type FinalizeOptions,
  type FinalizeResult,
  type PreparedFinalize,
} from "./push/finalizeStage.ts";
export { Journal, type JournalLock, type JournalScope } from "./push/journal.ts";
export {
  planPush,
  type PlanPushOptions,
  type EntryPointCost,
  type PlanCounts,
  type PushPlan,
} from "./push/planPush.ts";
export { checkFirstBatch } from "./push/refusedRow.ts";
export { type RowRefusal, RowRefusedError } from "./push/rowRefusedError.ts";
export { checkPlan, push, type PushOptions } from "./push/push.ts";
export type { PushEvent } from "./push/pushEvent.ts";
export type { Batch } from "./push/nextBatch.ts";
export { listLastStages, readStage, readStageTable, type StageState, type StageTable } from "./push/readStage.ts";
export { requireSameStage, type ShownStage, requireAgreement, verifyScores } from "./push/verifyScores.ts";
export type { Included, WaitOptions } from "./push/waitForOutcome.ts";
export { type Difference, type Verification, VerificationError } from "./push/verificationError.ts";
export { formatScores, type FormatScoresOptions, type ScoreRow, ScoreTable } from "./table/scoreTable.ts";
export { ifExists, readFileBytes, readFileText, readJsonFile } from "./readJsonFile.ts";
export { fileChanged, readInputFile } from "./inputFile.ts";
export { burnWarning, isBurnAddress } from "./table/burnAddresses.ts";
export { addressNames, type ColumnNames, describeInvalid, findColumn } from "./table/rowReader.ts";
export {
  readScores,
  readScoresFrom,
  type ReadScoresOptions,
  type ScoreFormat,
  unendedLine,
} from "./table/readScores.ts";
export { refuseExisting, writeNewFile, writeWholeFile } from "./writeWholeFile.ts";
