import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";

/** Deploys your game alone, for a scoring contract that exists. Parameter `scores`: its address. Its owner then adds the game as a member. */
export default buildModule("Game", (module) => ({
  arena: module.contract("Arena", [module.getParameter("scores")]),
}));
