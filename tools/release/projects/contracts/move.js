// Builds the example for the account that deployed the scoring contract, publishes it with initia.js, wins, and scores by hand.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Fee, MnemonicKey, MsgExecuteJSON, MsgPublish, RESTClient, Wallet } from "@initia/initia.js";
import { vipScoreMessages } from "@vipscore/contracts-move/initia";
import { mnemonic, startChain } from "./startChain.js";

const { rest: url, chainId, address: scores, vipscore, stop } = await startChain("move");
try {
  const named = ["--named-address", `vip_score=${scores}`, "--named-address", `arena=${scores}`];
  execFileSync("vipnode-move", ["build", "move", ...named]);
  const module = readFileSync("move/build/move/bytecode_modules/arena.mv").toString("base64");
  const rest = new RESTClient(url, { chainId, gasPrices: "0umin" });
  const key = new MnemonicKey({ mnemonic });
  const wallet = new Wallet(rest, key);
  const send = async (message) => {
    const tx = await wallet.createAndSignTx({ msgs: [message], fee: new Fee(5_000_000, "0umin") });
    const { raw_log: log, code = 0, gas_used: gas } = await rest.tx.broadcast(tx);
    assert.equal(code, 0, log);
    return gas;
  };
  await send(new MsgPublish(key.accAddress, [module], MsgPublish.Policy.COMPATIBLE));
  const { data } = await rest.move.view(scores, "arena", "get_scorer", [], []);
  // A view writes an address without leading zeros.
  vipscore("members", "add", `0x${JSON.parse(data).slice(2).padStart(64, "0")}`);
  const gas = await send(new MsgExecuteJSON(key.accAddress, scores, "arena", "win", [], ['"5"']));
  assert.equal(vipscore("status").stages[0].total, "5");
  await send(vipScoreMessages(key.accAddress, scores).update_score_script(1, [key.accAddress], [7]));
  assert.equal(vipscore("status").stages[0].total, "7");
  console.log(`a win scored, with ${gas} gas`);
} finally {
  await stop();
}
