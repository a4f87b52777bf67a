// Deploys the built example with cosmjs, and wins: the score is in the transaction of the win.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { SigningCosmWasmClient } from "@cosmjs/cosmwasm-stargate";
import { DirectSecp256k1HdWallet } from "@cosmjs/proto-signing";
import { GasPrice } from "@cosmjs/stargate";
import { VipScoreQueryClient } from "@vipscore/contracts-wasm/client";
import { mnemonic, startChain } from "./startChain.js";

const { rpc, address: scores, vipscore, stop } = await startChain("wasm");
try {
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: "init" });
  const [{ address }] = await wallet.getAccounts();
  const client = await SigningCosmWasmClient.connectWithSigner(rpc, wallet, {
    gasPrice: GasPrice.fromString("0umin"),
    broadcastPollIntervalMs: 50,
  });
  const code = readFileSync("wasm/arena.wasm");
  assert(code.includes(" with overflow"), "a release build checks for overflows");
  const { codeId } = await client.upload(address, code, "auto");
  const { contractAddress: arena } = await client.instantiate(address, codeId, { scores, stage: 1 }, "arena", "auto");
  vipscore("members", "add", arena);
  const { gasUsed } = await client.execute(address, arena, { win: { points: 5 } }, "auto");
  assert.equal((await new VipScoreQueryClient(client, scores).getStage({ stage: 1 })).total_score, 5);
  console.log(`a win scored, with ${gasUsed} gas`);
  client.disconnect();
} finally {
  await stop();
}
