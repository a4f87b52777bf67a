// Publishes the game with `vipscore`, and makes its object a member of the scoring contract that `vipscore` finds. Uses the rollup of
// REST_URL and the key that `vipscore` finds, or the local chain of this folder.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Runs a command, and returns what it reports. */
function vipscore(...args) {
  const options = { encoding: "utf8", stdio: ["inherit", "pipe", "inherit"] };
  const { status, stdout } = spawnSync("vipscore", [...args, "--json"], options);
  if (status !== 0) process.exit(1);
  return JSON.parse(stdout);
}

const { address } = vipscore("move", "publish");
const restUrl = process.env.REST_URL ?? JSON.parse(readFileSync(".vipscore/node.json", "utf8")).restUrl;
const view = `${restUrl}/initia/move/v1/accounts/${address}/modules/arena/view_functions/get_scorer`;
const response = await fetch(view, { method: "POST", body: "{}" });
assert(response.ok, `${view}: ${response.status}`);
// A view writes an address without leading zeros.
const scorer = `0x${JSON.parse((await response.json()).data)
  .slice(2)
  .padStart(64, "0")}`;
console.log(`the game ${address}::arena scores with its object ${scorer}`);
// Refused unless the account manages the members: then the owner of the scoring contract runs this command.
vipscore("members", "add", scorer);
