import { Fee, isTxError, MnemonicKey, MsgExecuteJSON, RESTClient, Wallet } from "@initia/initia.js";
import { testAccounts, type CosmosNode } from "@vipscore/localnet";
import { hangBoundMs } from "@vipscore/testkit/hangBound";

/** Fixed, so that nothing is simulated first: a failing call must get into a block. */
const fee = new Fee(10_000_000, "0umin");

/** A call of an entry function of the standard library; the arguments are sent as JSON. */
export interface StdCall {
  readonly module: string;
  readonly name: string;
  readonly types?: readonly string[];
  readonly args: readonly unknown[];
}

/** A funded account on a Move chain. */
export interface MoveWallet {
  /** `0x` hex of 20 bytes. */
  readonly address: string;
  /** Calls functions in one transaction, which must succeed; returns its hash. */
  readonly call: (...calls: readonly StdCall[]) => Promise<string>;
}

/** Opens a wallet of a funded account on a chain. */
export function openMoveWallet(chain: CosmosNode, name: keyof typeof testAccounts = "deployer"): MoveWallet {
  const key = new MnemonicKey({ mnemonic: testAccounts[name].mnemonic });
  const rest = new RESTClient(chain.restUrl, { chainId: chain.chainId, gasPrices: "0umin", gasAdjustment: "1.75" });
  const wallet = new Wallet(rest, key);
  return {
    address: testAccounts[name].address.toLowerCase(),
    call: async (...calls) => {
      const msgs = calls.map(({ module, name: entry, types = [], args }) => {
        const texts = args.map((arg) => JSON.stringify(arg));
        return new MsgExecuteJSON(key.accAddress, "0x1", module, entry, [...types], texts);
      });
      const result = await rest.tx.broadcast(await wallet.createAndSignTx({ msgs, fee }), hangBoundMs);
      if (isTxError(result)) throw new Error(result.raw_log);
      return result.txhash;
    },
  };
}

/** Creates a collection of the caller whose tokens can be changed. */
export function createCollection(name: string): StdCall {
  const mutable = Array.from({ length: 6 }, () => true);
  const args = ["a description", null, name, "https://example.org/c", ...mutable, "0.01"];
  return { module: "simple_nft", name: "create_collection", args };
}

/** Mints a token in a collection of the caller. Default owner: the caller. */
export function mint(collection: string, tokenId: string, uri: string, to?: string): StdCall {
  const args = [collection, "a description", tokenId, uri, [], [], [], to ?? null];
  return { module: "simple_nft", name: "mint", args };
}

export function transfer(object: string, to: string): StdCall {
  return { module: "object", name: "transfer_call", args: [object, to] };
}

export function setUri(object: string, uri: string): StdCall {
  return { module: "simple_nft", name: "set_uri", types: ["0x1::nft::Nft"], args: [object, uri] };
}

export function burn(object: string): StdCall {
  return { module: "simple_nft", name: "burn", types: ["0x1::nft::Nft"], args: [object] };
}
