export { bcsBytes, bcsRatio, bcsU64, type BcsType } from "./bcs/bcsType.ts";
export { compareVersions, type VersionComparison } from "./node/compareVersions.ts";
export { readLocalMinitiadVersion, type LocalMinitiad } from "./node/readLocalMinitiadVersion.ts";
export { readNodeVersion, type NodeVersion, type ReadNodeVersionOptions } from "./node/readNodeVersion.ts";
export { formatRatio, parseRatio } from "./bcs/ratio.ts";
export {
  checkBridgeExists,
  checkNotRegistered,
  checkRollupBridge,
  requireRegistered,
  type CheckBridgeExistsOptions,
  type WantedBridge,
} from "./proposal/checkBridge.ts";
export { checkBridgeBalance, type CheckBridgeBalanceOptions } from "./proposal/checkBridgeBalance.ts";
export { checkChallengeTime, type ChallengeVote } from "./proposal/checkChallengeTime.ts";
export { checkCommission, checkCommissionChange } from "./proposal/checkCommission.ts";
export { checkFirstStage, checkReplacementStage, type FirstStage } from "./proposal/checkFirstStage.ts";
export { checkOperator, type CheckOperatorOptions } from "./proposal/checkOperator.ts";
export { readBridgeBalance, type ReadBridgeBalanceOptions } from "./proposal/readBridgeBalance.ts";
export { readBridgeInfo, type ReadBridgeInfoOptions, type RollupBridge } from "./proposal/readBridgeInfo.ts";
export { readBalance, type ReadBalanceOptions } from "./proposal/readBalance.ts";
export { readVipProposals, type ReadVipProposalsOptions, type VipProposal } from "./proposal/readVipProposals.ts";
export { readVoteRules, type VoteRules } from "./proposal/readVoteRules.ts";
export {
  challengeCall,
  claimOperatorRewardsCall,
  claimRewardsCall,
  registerCall,
  updateCommissionCall,
  updateContractCall,
  updateOperatorCall,
  type Challenge,
  type ClaimedStage,
  type Registration,
  type VipArgument,
  type VipCall,
} from "./proposal/vipCall.ts";
export {
  describeMessage,
  executeMessage,
  proposalLimits,
  proposalMessage,
  type Deposit,
  type MessageMeaning,
  type ProposalTexts,
  type VipMessage,
} from "./proposal/vipMessages.ts";
export { checkStageToFinalize, checkStageToWrite, type CheckStageToFinalizeOptions } from "./vip/checkStage.ts";
export { initStageWarnings } from "./vip/initStageWarnings.ts";
export { listStages, type ScheduledStage } from "./vip/listStages.ts";
export type { L1Options, VipOptions } from "./vip/openVip.ts";
export { readChallengeTerms, type ChallengeTerms } from "./vip/readChallengeTerms.ts";
export { readFundedRewards, type FundedReward, type ReadFundedRewardsOptions } from "./vip/readFundedRewards.ts";
export { readLastClaimedStage, type ReadLastClaimedStageOptions } from "./vip/readLastClaimedStage.ts";
export { readNextSnapshotStage, type ReadNextSnapshotStageOptions } from "./vip/readNextSnapshotStage.ts";
export {
  readOperatorRewards,
  type OperatorReward,
  type OperatorRewards,
  type ReadOperatorRewardsOptions,
} from "./vip/readOperatorRewards.ts";
export {
  bridgesOf,
  newestBridge,
  readVipBridges,
  registrationAt,
  type VipBridge,
  type VipBridges,
} from "./vip/readVipBridges.ts";
export {
  readVipOperator,
  type Commission,
  type ReadVipOperatorOptions,
  type VipOperator,
} from "./vip/readVipOperator.ts";
export { readVipSnapshot, type ReadVipSnapshotOptions, type VipSnapshot } from "./vip/readVipSnapshot.ts";
export { readVipStage } from "./vip/readVipStage.ts";
export { readVipStageTimes, type ReadVipStageTimesOptions } from "./vip/readVipStageTimes.ts";
export type { VipStageTimes } from "./vip/stageTimes.ts";
export { parseMoveAddress, type VipAddress } from "./vip/vipAddress.ts";
export type { VipParameters, VipStage } from "./vip/vipStage.ts";
