import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import VipScore from "@vipscore/contracts-evm/ignition/vipScore.js";

/**
 * Deploys the published scoring contract and your game, which becomes a member and needs no other right. A game needs no changed
 * scoring contract: to deploy one, such as CappedScores, take `scores = module.contract("CappedScores", [1n])`, 1 being the first stage.
 */
export default buildModule("Arena", (module) => {
  const { scores } = module.useModule(VipScore);
  const arena = module.contract("Arena", [scores]);
  module.call(scores, "addAllowList", [arena]);
  return { scores, arena };
});
