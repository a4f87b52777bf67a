import { bcs, MsgExecute, type Wallet } from "@initia/initia.js";
import { vipScoreMessages } from "@vipscore/contracts-move/initia";

/** Signs a transaction that scores a player, with a wallet of initia.js. */
export function signScore(wallet: Wallet, publisher: string, player: string) {
  const messages = vipScoreMessages(wallet.key.accAddress, publisher);
  return wallet.createAndSignTx({ msgs: [messages.update_score_script(1, [player], [100])] });
}

/** Signs a call of an entry function of yours: here `win` of the module `arena`, with points. */
export function signWin(wallet: Wallet, publisher: string, points: bigint) {
  const args = [bcs.u64().serialize(points).toBase64()];
  const win = new MsgExecute(wallet.key.accAddress, publisher, "arena", "win", [], args);
  return wallet.createAndSignTx({ msgs: [win] });
}
