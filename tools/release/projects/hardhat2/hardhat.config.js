const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require("hardhat/builtin-tasks/task-names");
const solc = require("solc");

// The compiler of the npm package: nothing to download.
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async ({ solcVersion }) => ({
  compilerPath: require.resolve("solc/soljson.js"),
  isSolcJs: true,
  version: solcVersion,
  longVersion: solc.version(),
}));

module.exports = {
  solidity: {
    version: "0.8.37",
    settings: { evmVersion: "cancun", viaIR: true, optimizer: { enabled: true, runs: 200 } },
  },
};
