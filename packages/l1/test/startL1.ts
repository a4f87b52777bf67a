import { bcs, Fee, MnemonicKey, MsgExecute, RESTClient, Wallet } from "@initia/initia.js";
import { startVipnode, testAccounts } from "@vipscore/localnet";
import { until } from "@vipscore/testkit/until";

/** A local chain that imitates Initia's L1. */
export interface LocalL1 extends AsyncDisposable {
  readonly restUrl: string;
  readonly rpcUrl: string;
  readonly chainId: string;
  /** Address of the module `vip`. */
  readonly vipAddress: string;
  /**
   * Calls an entry function of the module `vip` with u64 arguments; rejects with the chain's error text if it fails.
   */
  readonly call: (name: string, ...values: readonly bigint[]) => Promise<void>;
}

export async function startL1(): Promise<LocalL1> {
  const node = await startVipnode({ vm: "move", l1: true });
  const { restUrl, rpcUrl, chainId, vipAddress } = node;
  if (vipAddress === undefined) throw new Error("the chain did not print the address of its module vip");
  const rest = new RESTClient(restUrl, { chainId });
  const wallet = new Wallet(rest, new MnemonicKey({ mnemonic: testAccounts.operator.mnemonic }));
  const call = async (name: string, ...values: readonly bigint[]): Promise<void> => {
    const args = values.map((value) => bcs.u64().serialize(value).toBase64());
    const message = new MsgExecute(wallet.key.accAddress, vipAddress, "vip", name, [], args);
    const transaction = await wallet.createAndSignTx({ msgs: [message], fee: new Fee(1_000_000, "0umin") });
    const sent = await rest.tx.broadcastSync(transaction);
    if ("code" in sent && sent.code !== 0) throw new Error(sent.raw_log);
    const failure = await outcomeOf(rest, sent.txhash);
    if (failure !== "") throw new Error(failure);
  };
  return { restUrl, rpcUrl, chainId, vipAddress, call, [Symbol.asyncDispose]: () => node.stop() };
}

/** Returns why a transaction failed, or an empty string, once it is in a block. */
async function outcomeOf(rest: RESTClient, hash: string): Promise<string> {
  const found = await until(`transaction ${hash}`, () => rest.tx.txInfo(hash).catch(() => undefined));
  return found.code === 0 ? "" : found.raw_log;
}
