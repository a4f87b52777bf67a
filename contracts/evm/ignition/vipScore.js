import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";

/**
 * Deploys `VipScore` with Hardhat Ignition. Parameter `initStage`: the first stage, 1 to 2^64 - 1. The deployer becomes the owner
 * and the first member.
 *
 * The project has to compile the contract: `solidity.npmFilesToBuild: ["@vipscore/contracts-evm/src/VipScore.sol"]`.
 */
export default buildModule("VipScore", (module) => ({
  scores: module.contract("VipScore", [module.getParameter("initStage")]),
}));
