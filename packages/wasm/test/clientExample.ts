import type { SigningCosmWasmClient } from "@cosmjs/cosmwasm-stargate";
import { VipScoreClient } from "@vipscore/contracts-wasm/client";

/** Scores a player with a client of cosmjs, and returns the total of the stage. */
export async function scorePlayer(client: SigningCosmWasmClient, sender: string, contract: string, player: string) {
  const scores = new VipScoreClient(client, sender, contract);
  await scores.updateScores({ stage: 1, scores: [[player, 100]] });
  return (await scores.getStage({ stage: 1 })).total_score;
}
