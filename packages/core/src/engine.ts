// The parts of adapters and the command, and the single steps of a push. Operators' code needs only the main entry.
export { allFeatures, noFeatures } from "./contractIdentity.ts";
export {
  artifactRefused,
  completeDeployment,
  isStepDone,
  notAsDeployed,
  planRoles,
  readRoles,
  reportUnchanged,
  requireDeployed,
  requireReplacer,
  requireRoles,
  runDeployStep,
  type DeployContext,
  type DeployedState,
  type DeployStep,
  type DesiredState,
  type StepOutcome,
} from "./deployment.ts";
export { accountOf } from "./account/readAccount.ts";
export { checkNewest, newestShown } from "./push/checkNewest.ts";
export { checkMember, checkOpen, runTransaction } from "./push/callContract.ts";
export {
  submit,
  type TransactionPort,
  sequenceAfter,
  signAndSubmit,
  waitForOutcome,
  type Outcome,
} from "./push/waitForOutcome.ts";
export { requireFee } from "./push/feeBudget.ts";
export { requirePacked } from "./push/planPush.ts";
export { stageNotFound } from "./push/readStage.ts";
export { lastingAnswer } from "./push/refusedRow.ts";
export { agreementOf } from "./push/verifyScores.ts";
export {
  connectContract,
  openSender,
  requireChainId,
  requireTxIndex,
  type ContractParts,
  type ContractState,
  type SendAll,
  type Sender,
} from "./openContract.ts";
export { readPages, type PagesOptions, type ReadPages } from "./readPages.ts";
export { digestScores } from "./table/scoreTable.ts";
export { orAborted, pause } from "./time/pause.ts";
export { pollUntil } from "./time/patience.ts";
export { parseJournal, type ParsedJournal } from "./push/journalFormat.ts";
