export { compareVersions, type VersionComparison } from "./node/compareVersions.ts";
export { readLocalMinitiadVersion, type LocalMinitiad } from "./node/readLocalMinitiadVersion.ts";
export { readNodeVersion, type NodeVersion, type ReadNodeVersionOptions } from "./node/readNodeVersion.ts";
export { checkStageToFinalize, checkStageToWrite, type CheckStageToFinalizeOptions } from "./vip/checkStage.ts";
export { initStageWarnings } from "./vip/initStageWarnings.ts";
export { listStages, type ScheduledStage } from "./vip/listStages.ts";
export { readVipStage, type ReadVipStageOptions } from "./vip/readVipStage.ts";
export type { VipAddress } from "./vip/vipAddress.ts";
export type { VipParameters, VipStage } from "./vip/vipStage.ts";
