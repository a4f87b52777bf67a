import { GasPrice } from "@cosmjs/stargate";
import { VipScoreClient } from "@vipscore/contracts-wasm/client";
import { connectMnemonic } from "@vipscore/contracts-wasm/connect";

/** Scores a player with the account that `vipscore` has for the mnemonic, and returns the total of the stage. */
export async function scorePlayer(rpcUrl: string, mnemonic: string, contract: string, player: string) {
  const { client, address } = await connectMnemonic(rpcUrl, mnemonic, { gasPrice: GasPrice.fromString("0umin") });
  const scores = new VipScoreClient(client, address, contract);
  await scores.updateScores({ stage: 1, scores: [[player, 100]] });
  return (await scores.getStage({ stage: 1 })).total_score;
}
