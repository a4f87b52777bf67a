import { Fee, MnemonicKey, MsgExecuteJSON, RESTClient, Wallet, type Msg } from "@initia/initia.js";
import { testAccounts, type CosmosNode } from "@vipscore/localnet";
import { hangBoundMs } from "@vipscore/testkit/hangBound";

/** Fixed, so that nothing is simulated first: a call that fails must get into a block. */
const fee = new Fee(20_000_000, "0umin");

/** A transaction in a block. */
export interface SentTransaction {
  /** Uppercase hex. */
  readonly hash: string;
  readonly height: number;
  readonly code: number;
  readonly gasUsed: bigint;
}

/** An account that calls functions of the standard library. */
export interface MoveCaller {
  /** In bech32. */
  readonly address: string;
  /** A call of `0x1::module::name`. */
  readonly message: (target: `${string}::${string}`, ...args: readonly unknown[]) => Msg;
  /** Sends messages in one transaction. */
  readonly send: (...messages: readonly Msg[]) => Promise<SentTransaction>;
}

/** Opens the deployer's account on a chain. */
export function openMoveCaller(chain: CosmosNode): MoveCaller {
  const key = new MnemonicKey({ mnemonic: testAccounts.deployer.mnemonic });
  const rest = new RESTClient(chain.restUrl, { chainId: chain.chainId, gasPrices: "0umin", gasAdjustment: "1.75" });
  const wallet = new Wallet(rest, key);
  return {
    address: key.accAddress,
    message: (target, ...args) => {
      const [module = "", name = ""] = target.split("::");
      const texts = args.map((arg) => JSON.stringify(arg));
      return new MsgExecuteJSON(key.accAddress, "0x1", module, name, [], texts);
    },
    send: async (...messages) => {
      const signed = await wallet.createAndSignTx({ msgs: [...messages], fee });
      const sent = await rest.tx.broadcast(signed, hangBoundMs);
      const { txhash: hash, height } = sent;
      const { code, gas_used: gasUsed } = await rest.tx.txInfo(hash);
      return { hash, height, code: code ?? 0, gasUsed: BigInt(gasUsed) };
    },
  };
}
