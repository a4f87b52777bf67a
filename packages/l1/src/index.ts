export { bcsBytes, bcsRatio, bcsU64, parseRatio } from "./bcs/bcsType.ts";
export { openLocalL1, type LocalL1, type OpenLocalL1Options } from "./local/localL1.ts";
export {
  compareVersions,
  readLocalMinitiadVersion,
  readNodeVersion,
  type LocalMinitiad,
  type NodeVersion,
  type ReadNodeVersionOptions,
  type VersionComparison,
} from "./node/readNodeVersion.ts";
export {
  checkBridgeBalance,
  checkBridgeExists,
  checkNotRegistered,
  checkRollupBridge,
  readBridgeInfo,
  requireRegistered,
  type CheckBridgeBalanceOptions,
  type CheckBridgeExistsOptions,
  type ReadBridgeInfoOptions,
  type RollupBridge,
  type WantedBridge,
} from "./proposal/checkBridge.ts";
export { checkNewStages, checkReplacementStages } from "./proposal/checkFirstStage.ts";
export { checkChallenge, checkDeposit, type ChallengeVote, type DepositToCheck } from "./proposal/checkVote.ts";
export { forumText, proposalFields, type ForumPost } from "./proposal/forumPost.ts";
export { postGaps } from "./proposal/postText.ts";
export { announcedStage, renderUpdatePost, stageStart, type UpdatePost } from "./proposal/updatePost.ts";
export {
  proposalSchema,
  readContractChange,
  readRegistration,
  type ProposalFile,
  type RegistrationFile,
} from "./proposal/proposalFile.ts";
export {
  checkNoOpenProposal,
  openProposal,
  readVipProposals,
  type ReadVipProposalsOptions,
  type VipProposal,
} from "./proposal/readVipProposals.ts";
export {
  readBalance,
  readBridgeBalance,
  readVoteRules,
  rewardDenomOf,
  type ReadBalanceOptions,
  type ReadBridgeBalanceOptions,
  type VoteRules,
} from "./proposal/readVoteRules.ts";
export {
  challengeCall,
  claimOperatorRewardsCall,
  claimRewardsCall,
  registerCall,
  updateCommissionCall,
  updateContractCall,
  updateOperatorCall,
  type Challenge,
  type Registration,
  type VipCall,
} from "./proposal/vipCall.ts";
export {
  describeMessage,
  executeMessage,
  proposalMessage,
  type Deposit,
  type VipMessage,
} from "./proposal/vipMessages.ts";
export {
  checkStageToFinalize,
  checkStageToWrite,
  initStageWarnings,
  listStages,
  type CheckStageToFinalizeOptions,
  type ScheduledStage,
} from "./vip/checkStage.ts";
export { readBridgeOnL1, type BridgeOnL1, type StageOnL1 } from "./vip/bridgeOnL1.ts";
export {
  checkClaims,
  claimGas,
  claimTarget,
  neverPaidText,
  otherTargetField,
  requireTarget,
  type ClaimFromFile,
  type StageReward,
} from "./vip/claims.ts";
export type { VipOptions } from "./vip/openVip.ts";
export { planClaim, type ClaimPlan, type ClaimStatus, type OwnStage, type PlannedStage } from "./vip/planClaim.ts";
export { readBridgeShares, type BridgeShare, type BridgeShares } from "./vip/readBridgeShares.ts";
export {
  bridgesOf,
  readVipBridges,
  registrationAt,
  registrationsOf,
  type VipBridge,
  type VipBridges,
} from "./vip/readVipBridges.ts";
export {
  checkCommission,
  checkCommissionChange,
  checkOperator,
  readVipOperator,
  type CheckOperatorOptions,
  type Commission,
  type ReadVipOperatorOptions,
  type VipOperator,
} from "./vip/readVipOperator.ts";
export {
  challengeEnd,
  readChallengeTerms,
  readVipSnapshot,
  type ChallengeTerms,
  type ReadVipSnapshotOptions,
  type VipSnapshot,
} from "./vip/readVipSnapshot.ts";
export {
  readVipStage,
  readVipStageTimes,
  type ReadVipStageTimesOptions,
  type VipParameters,
  type VipStage,
  type VipStageTimes,
} from "./vip/readVipStage.ts";
export {
  readFundedRewards,
  readOperatorRewards,
  readUserClaims,
  refusalOf,
  type FundedReward,
  type OperatorReward,
  type OperatorRewards,
  type ReadFundedRewardsOptions,
  type ReadOperatorRewardsOptions,
  type UserClaims,
  type UserVesting,
} from "./vip/rewards.ts";
export {
  awaitAgent,
  challengeHint,
  compareSnapshot,
  comparisonText,
  findBridge,
  isSame,
  removedText,
  requireMatch,
  type ComputedSnapshot,
  type RollupOnL1,
  type SnapshotComparison,
  type WantedRegistration,
} from "./vip/snapshotOnL1.ts";
export { readSnapshotStages, type ReadSnapshotStagesOptions, type SnapshotStages } from "./vip/snapshotStages.ts";
export { parseMoveAddress, type VipAddress } from "./vip/vipAddress.ts";
