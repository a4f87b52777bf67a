import type { Wallet } from "@initia/initia.js";
import { vipScoreMessages } from "@vipscore/contracts-move/initia";

/** Signs a transaction that scores a player, with a wallet of initia.js. */
export function signScore(wallet: Wallet, publisher: string, player: string) {
  const messages = vipScoreMessages(wallet.key.accAddress, publisher);
  return wallet.createAndSignTx({ msgs: [messages.update_score_script(1, [player], [100])] });
}
