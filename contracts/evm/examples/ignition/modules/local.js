import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import Arena from "./arena.js";

/** For a local chain: deploys both contracts, and wins 5 points. */
export default buildModule("Local", (module) => {
  const { scores, arena } = module.useModule(Arena);
  module.call(arena, "win", [5n], { after: [Arena] });
  return { scores, arena };
});
