// Publishes the game with `vipscore`, and makes its object a member of the scoring contract that `vipscore` finds. Uses the rollup of
// REST_URL and the key that `vipscore` finds, or the local chain of this folder, on which it also wins once.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Fee, MnemonicKey, MsgExecuteJSON, RESTClient, Wallet } from "@initia/initia.js";
import { testAccounts } from "@vipscore/localnet";

/** Runs a command, and returns what it reports. */
function vipscore(...args) {
  const isAdding = args[0] === "members";
  const options = { encoding: "utf8", stdio: ["inherit", "pipe", isAdding ? "pipe" : "inherit"] };
  const { status, stdout, stderr } = spawnSync("vipscore", [...args, "--json"], options);
  if (isAdding && stdout.includes('"PERMISSION_DENIED"')) {
    console.log(`the operator adds the game, ${args[2]}: npx @vipscore/cli ${args.join(" ")}`);
    process.exit(0);
  }
  if (status !== 0) {
    console.error(stderr ?? "");
    process.exit(1);
  }
  return JSON.parse(stdout);
}

const { address } = vipscore("move", "publish");
const isLocal = process.env.REST_URL === undefined;
const node = isLocal ? JSON.parse(readFileSync(".vipscore/node.json", "utf8")) : { restUrl: process.env.REST_URL };
const { restUrl, chainId } = node;
const view = `${restUrl}/initia/move/v1/accounts/${address}/modules/arena/view_functions/get_scorer`;
const response = await fetch(view, { method: "POST", body: "{}" });
assert(response.ok, `${view}: ${response.status}`);
// A view writes an address without leading zeros.
const scorer = `0x${JSON.parse((await response.json()).data)
  .slice(2)
  .padStart(64, "0")}`;
console.log(`the game ${address}::arena scores with its object ${scorer}`);
vipscore("members", "add", scorer);
if (isLocal) {
  const rest = new RESTClient(restUrl, { chainId, gasPrices: "0umin" });
  const wallet = new Wallet(rest, new MnemonicKey({ mnemonic: testAccounts.deployer.mnemonic }));
  const win = new MsgExecuteJSON(wallet.key.accAddress, address, "arena", "win", [], ['"5"']);
  const tx = await wallet.createAndSignTx({ msgs: [win], fee: new Fee(5_000_000, "0umin") });
  const { code = 0, raw_log: log } = await rest.tx.broadcast(tx);
  assert.equal(code, 0, log);
  console.log("a win scored 5 points: npx @vipscore/cli status shows them");
}
