// Deploys the built game with cosmjs, and makes it a member of the scoring contract that `vipscore status` finds. Uses the node of
// VIPSCORE_ENDPOINT and the account of MNEMONIC, or the local chain of this folder, on which it also wins once.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { GasPrice } from "@cosmjs/stargate";
import { connectMnemonic } from "@vipscore/contracts-wasm/connect";
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

const { RPC_NODE_URL, VIPSCORE_ENDPOINT = RPC_NODE_URL, MNEMONIC, GAS_PRICES } = process.env;
const isLocal = VIPSCORE_ENDPOINT === undefined;
const { contract, initStage } = vipscore("status");
const rpcUrl = isLocal ? JSON.parse(readFileSync(".vipscore/node.json", "utf8")).rpcUrl : VIPSCORE_ENDPOINT;
const mnemonic = isLocal ? testAccounts.deployer.mnemonic : MNEMONIC;
if (mnemonic === undefined) {
  console.error("Set MNEMONIC beside VIPSCORE_ENDPOINT: the words of the account that signs.");
  process.exit(1);
}

const { client, address } = await connectMnemonic(rpcUrl, mnemonic, {
  gasPrice: GasPrice.fromString(GAS_PRICES ?? "0umin"),
  broadcastPollIntervalMs: 500,
});
assert.equal(await client.getChainId(), contract.chainId, "vipscore uses another chain");
const { codeId } = await client.upload(address, readFileSync(new URL("arena.wasm", import.meta.url)), "auto");
const message = { scores: contract.address, stage: Number(initStage) };
// The admin can replace the code.
const options = { admin: address };
const { contractAddress: arena } = await client.instantiate(address, codeId, message, "arena", "auto", options);
console.log(`arena ${arena} is deployed; members remove ends that of an earlier run`);
vipscore("members", "add", arena);
if (isLocal) {
  await client.execute(address, arena, { win: { points: 5 } }, "auto");
  console.log(`a win scored 5 points for ${address}: npx @vipscore/cli status shows them`);
}
client.disconnect();
