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
  /** Calls an entry function of the module `vip`; rejects with the chain's error text if it fails. */
  readonly call: (name: string, ...values: readonly L1Argument[]) => Promise<void>;
}

/** An argument of an entry function: a u64, a text, bytes, or one that is in BCS already. */
export type L1Argument = bigint | string | Uint8Array | { readonly base64: string };

/** An address as an argument. */
export const address = (text: string): L1Argument => ({ base64: bcs.address().serialize(text).toBase64() });

/** A decimal number as an argument. */
export const decimal = (text: string): L1Argument => ({ base64: bcs.bigdecimal().serialize(text).toBase64() });

function encode(value: L1Argument): string {
  if (typeof value === "bigint") return bcs.u64().serialize(value).toBase64();
  if (typeof value === "string") return bcs.string().serialize(value).toBase64();
  return value instanceof Uint8Array ? bcs.vector(bcs.u8()).serialize(value).toBase64() : value.base64;
}

export async function startL1(): Promise<LocalL1> {
  const node = await startVipnode({ vm: "move", l1: true });
  const { restUrl, rpcUrl, chainId, vipAddress } = node;
  if (vipAddress === undefined) throw new Error("the chain did not print the address of its module vip");
  const rest = new RESTClient(restUrl, { chainId });
  const wallet = new Wallet(rest, new MnemonicKey({ mnemonic: testAccounts.operator.mnemonic }));
  const call = async (name: string, ...values: readonly L1Argument[]): Promise<void> => {
    const args = values.map(encode);
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
