// Runs two local rollups, each with NFTs, scores and an indexer, until Ctrl-C, and writes public/rollups.json.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { mintEvm } from "./local/mintEvm.js";

const bin = resolve("node_modules/@vipscore/cli/bin/vipscore.js");

/** Runs a command in a chain's folder, and returns what it reports. */
function vipscore(cwd, ...args) {
  console.log(`vipscore ${args.join(" ")}`);
  return JSON.parse(execFileSync(process.execPath, [bin, ...args, "--json"], { cwd, stdio: "pipe" }));
}

/** Starts a command that runs until this script ends, and returns what it reports once it is ready. */
async function start(cwd, ...args) {
  const child = spawn(process.execPath, [bin, ...args, "--json"], { cwd, stdio: ["ignore", "pipe", "inherit"] });
  process.once("exit", () => child.kill());
  const ended = once(child, "close").then(() => Promise.reject(new Error(`vipscore ${args.join(" ")} has ended`)));
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), ended]);
  ended.catch(() => console.log(`vipscore ${args[0]} has ended in ${cwd}`));
  return { ...JSON.parse(line), pid: child.pid };
}

/** Starts a rollup in a folder of its own, with its scores to push. */
async function startRollup(vm, ...flags) {
  const cwd = resolve("chains", vm);
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(cwd, { recursive: true });
  cpSync("local/scores.csv", `${cwd}/scores.csv`);
  return { cwd, ...(await start(cwd, "node", "--vm", vm, "--port", "0", ...flags)) };
}

/** Registers the rollup with VIP on its L1, and ends a stage there, which can be claimed then. */
async function endStage({ cwd, restUrl, accounts: [deployer] }, contract) {
  const response = await fetch(`${restUrl}/opinit/opchild/v1/bridge_info`);
  const { bridge_info: bridge } = await response.json();
  const settings = {
    title: "Register Alpha",
    summary: "A local rollup.",
    metadata: "https://example.org",
    deposit: "10000000umin",
    proposer: deployer.address,
    bridgeId: bridge.bridge_id,
    bridgeAddress: bridge.bridge_addr,
    operator: deployer.address,
    contract,
    commission: { rate: "0.05", maxRate: "0.2", maxChangeRate: "0.01" },
    policy: "https://example.org/policy",
  };
  writeFileSync(`${cwd}/proposal.json`, JSON.stringify(settings));
  vipscore(cwd, "proposal", "register", "--settings", "proposal.json", "--sign", "--out", "register.json");
  vipscore(cwd, "practice", "send", "register.json");
  vipscore(cwd, "practice", "stage");
  vipscore(cwd, "push", "scores.csv", "--stage", "2");
  vipscore(cwd, "practice", "stage");
  vipscore(cwd, "finalize", "--stage", "2", "--file", "scores.csv", "--yes");
  vipscore(cwd, "practice", "snapshot");
  vipscore(cwd, "practice", "period");
}

/** Starts a rollup's indexer. */
async function serve(name, { cwd }) {
  const { url, pid } = await start(cwd, "indexer", "--scores", "--port", "0");
  writeFileSync(`${cwd}/indexer.pid`, `${pid}`);
  return { name, indexer: url };
}

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit());

const alpha = await startRollup("evm", "--l1");
await mintEvm(alpha.rpcUrl);
const { contract } = vipscore(alpha.cwd, "deploy", "--init-stage", "2");
await endStage(alpha, contract.address);
vipscore(alpha.cwd, "push", "scores.csv", "--stage", "3");

const beta = await startRollup("move");
cpSync("local/move", `${beta.cwd}/pictures`, { recursive: true });
vipscore(beta.cwd, "move", "publish", "pictures");
vipscore(beta.cwd, "deploy", "--init-stage", "3");
vipscore(beta.cwd, "push", "scores.csv", "--stage", "3");

const rollups = [await serve("Alpha", alpha), await serve("Beta", beta)];
writeFileSync("public/rollups.json", `${JSON.stringify(rollups, undefined, 2)}\n`);
console.log("Both rollups are in public/rollups.json. Now, in another terminal: npm run dev");
