import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import VipScore from "@vipscore/contracts-evm/ignition/vipScore.js";

/**
 * Deploys the published scoring contract and your game, which becomes a member and needs no other right.
 */
export default buildModule("Arena", (module) => {
  const { scores } = module.useModule(VipScore);
  const arena = module.contract("Arena", [scores]);
  module.call(scores, "addAllowList", [arena]);
  return { scores, arena };
});
