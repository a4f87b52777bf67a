// Deploys the example with Hardhat Ignition to a chain behind an endpoint, as to a rollup, then as to the local chain, which wins; wins again.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { createWalletClient, http, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { testAccounts } from "@vipscore/core/testAccounts";
import { startHardhat } from "@vipscore/localnet";

const run = promisify(execFile);
const { privateKey } = testAccounts.deployer;
const node = await startHardhat();
// The project's local chain has the port 8545, which another node may use.
const config = "evm/hardhat.config.ts";
const localhost = `localhost: { type: "http", url: "${node.rpcUrl}" },`;
writeFileSync(config, readFileSync(config, "utf8").replace("networks: {", `networks: {\n    ${localhost}`));
try {
  // Without it, Hardhat would ask.
  const confirmed = { HARDHAT_IGNITION_CONFIRM_DEPLOYMENT: "true" };
  const env = { ...process.env, ...confirmed, RPC_URL: node.rpcUrl, PRIVATE_KEY: privateKey };
  const npmRun = (...args) => run("npm", ["--prefix", "evm", "run", ...args], { env });
  await npmRun("deploy:rollup");
  await npmRun("deploy");

  const client = createWalletClient({ account: privateKeyToAccount(privateKey), transport: http(node.rpcUrl) });
  const { writeContract, getChainId, waitForTransactionReceipt } = client.extend(publicActions);
  const folder = `evm/ignition/deployments/chain-${await getChainId()}`;
  const deployed = JSON.parse(readFileSync(`${folder}/deployed_addresses.json`, "utf8"));
  const { abi } = JSON.parse(readFileSync(`${folder}/artifacts/Arena#Arena.json`, "utf8"));
  const [scores, arena] = [deployed["VipScore#VipScore"], deployed["Arena#Arena"]];
  const hash = await writeContract({ address: arena, abi, functionName: "win", args: [5n], chain: null });
  assert.equal((await waitForTransactionReceipt({ hash })).status, "success");

  await npmRun("deploy:game", "--", "--network", "rollup", "--parameters", JSON.stringify({ Game: { scores } }));

  const status = ["status", "--contract", scores, "--endpoint", node.rpcUrl, "--json"];
  const { stdout } = await run("node_modules/.bin/vipscore", status);
  assert.equal(JSON.parse(stdout).stages[0].total, "10");
  console.log(`a win scored on ${scores}, which Ignition deployed`);
} finally {
  await node.stop();
}
