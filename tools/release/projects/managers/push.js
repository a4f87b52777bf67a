// Deploys, pushes and pushes again with the command, as the package manager that runs this has installed it.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { testAccounts } from "@vipscore/core/testAccounts";
import { startHardhat } from "@vipscore/localnet";

const node = await startHardhat();
const env = { ...process.env, VIPSCORE_ENDPOINT: node.rpcUrl, PRIVATE_KEY: testAccounts.deployer.privateKey };
const vipscore = async (...args) => {
  const { stdout } = await promisify(execFile)("vipscore", [...args, "--json"], { env }).catch((error) => error);
  return JSON.parse(stdout);
};
try {
  writeFileSync("scores.csv", `address,score\n${testAccounts.operator.address},18446744073709551615\n`);
  const { contract } = await vipscore("deploy", "--init-stage", "1");
  const push = ["push", "scores.csv", "--stage", "1", "--contract", contract.address];
  const first = await vipscore(...push);
  assert.equal(first.transactions?.length, 1, JSON.stringify(first));
  assert.deepEqual((await vipscore(...push)).transactions, []);
  // A package that is not installed is named with the command of this manager.
  const { error } = await vipscore("conform");
  assert.equal(error.code, "PACKAGE_MISSING");
  const [manager] = process.env.npm_config_user_agent.split("/");
  assert.match(JSON.stringify(error), new RegExp(`\\b${manager} add @vipscore/conformance@`));
  console.log(`pushed and pushed again, installed by ${process.env.npm_config_user_agent}`);
} finally {
  await node.stop();
}
