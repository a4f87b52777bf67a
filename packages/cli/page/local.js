// Scores two stages on the local chain of `vipscore node`, and writes what the page reads: public/rollup.json, public/proofs.json.
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";

function vipscore(...args) {
  const command = ["node_modules/@vipscore/cli/bin/vipscore.js", ...args, "--json"];
  const stdio = ["ignore", "pipe", "inherit"];
  return JSON.parse(execFileSync(process.execPath, command, { encoding: "utf8", stdio }));
}

const { contract } = vipscore("deploy", "--init-stage", "1");
vipscore("push", "scores.csv", "--stage", "1");
vipscore("finalize", "--stage", "1", "--file", "scores.csv", "--yes");
vipscore("push", "scores.csv", "--stage", "2");
rmSync("public/proofs.json", { force: true });
vipscore("snapshot", "--stage", "1", "--bridge-id", "1", "--out", "public/proofs.json");

const { vm, rpcUrl, restUrl, indexerUrl } = JSON.parse(readFileSync(".vipscore/node.json", "utf8"));
const rollup = { vm, url: vm === "evm" ? rpcUrl : restUrl, contract: contract.address, indexerUrl };
writeFileSync("public/rollup.json", `${JSON.stringify(rollup, undefined, 2)}\n`);
console.log(`scored stages 1 and 2 in ${rollup.contract}; now: npm run dev`);
