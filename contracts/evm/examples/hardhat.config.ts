import { fileURLToPath } from "node:url";
import hardhatIgnition from "@nomicfoundation/hardhat-ignition";
import { configVariable, defineConfig } from "hardhat/config";

const compiler = {
  version: "0.8.37",
  // The compiler of the npm package: nothing to download.
  path: fileURLToPath(import.meta.resolve("solc/soljson.js")),
  // VipScore compiles only with viaIR. A rollup runs code for the EVM version cancun.
  settings: { evmVersion: "cancun", viaIR: true, optimizer: { enabled: true, runs: 100_000 } },
};

export default defineConfig({
  plugins: [hardhatIgnition],
  // For `npm run deploy:rollup`. `npm run deploy` uses `localhost`, which Hardhat knows: port 8545, where `vipscore node` listens.
  networks: {
    rollup: { type: "http", url: configVariable("RPC_URL"), accounts: [configVariable("PRIVATE_KEY")] },
  },
  solidity: {
    // A profile that is left out does not take the settings of the other.
    profiles: { default: compiler, production: compiler },
    npmFilesToBuild: ["@vipscore/contracts-evm/src/VipScore.sol"],
  },
});
