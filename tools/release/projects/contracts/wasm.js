// Deploys the built example with its script, and wins with cosmjs: the score is in the transaction of the win.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { SigningCosmWasmClient } from "@cosmjs/cosmwasm-stargate";
import { DirectSecp256k1HdWallet } from "@cosmjs/proto-signing";
import { GasPrice } from "@cosmjs/stargate";
import { VipScoreQueryClient } from "@vipscore/contracts-wasm/client";
import { mnemonic, startChain } from "./startChain.js";

const { rpc, address: scores, stop } = await startChain("wasm");
try {
  assert(readFileSync("wasm/arena.wasm").includes(" with overflow"), "a release build checks for overflows");
  const env = { ...process.env, RPC_NODE_URL: rpc, CONTRACT_ADDRESS: scores, MNEMONIC: mnemonic };
  const deployed = execFileSync("npm", ["--prefix", "wasm", "run", "deploy"], { env }).toString();
  const [, arena] = /^arena (init1\w+)/m.exec(deployed);
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: "init" });
  const [{ address }] = await wallet.getAccounts();
  const client = await SigningCosmWasmClient.connectWithSigner(rpc, wallet, {
    gasPrice: GasPrice.fromString("0umin"),
    broadcastPollIntervalMs: 50,
  });
  const { gasUsed } = await client.execute(address, arena, { win: { points: 5 } }, "auto");
  assert.equal((await new VipScoreQueryClient(client, scores).getStage({ stage: 1 })).total_score, 5);
  console.log(`a win scored, with ${gasUsed} gas`);
  client.disconnect();
} finally {
  await stop();
}
