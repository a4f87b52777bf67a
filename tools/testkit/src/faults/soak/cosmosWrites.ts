import { isTxError, MnemonicKey, MsgSend, RESTClient, Wallet } from "@initia/initia.js";
import type { Account } from "@vipscore/core";
import { isObject } from "@vipscore/core/wire";
import { testAccounts, type CosmosNode } from "@vipscore/localnet";
import { hangBoundMs } from "../../hangBound.ts";
import type { Fields } from "../nodeProtocol.ts";
import type { Write } from "./soakChain.ts";

const pageSize = 100;
/** A run sends a few dozen transactions. */
const maxPages = 20;

/** The accounts whose scores a message writes; none for any other message. */
export type AccountsOf = (message: Fields) => readonly Account[];

/** Reads what an account's successful transactions in blocks wrote. */
export async function readCosmosWrites(
  restUrl: string,
  sender: string,
  accountsOf: AccountsOf,
): Promise<readonly Write[]> {
  const writes: Write[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const query = new URLSearchParams({
      query: `message.sender='${sender}'`,
      order_by: "ORDER_BY_ASC",
      limit: String(pageSize),
      page: String(page),
    });
    const response = await fetch(`${restUrl}/cosmos/tx/v1beta1/txs?${query.toString()}`);
    if (!response.ok) throw new Error(`a search for transactions failed: ${await response.text()}`);
    const found = (await response.json()) as {
      readonly total: string;
      readonly tx_responses: readonly {
        readonly code: number;
        readonly txhash: string;
        readonly tx: { readonly body: { readonly messages: readonly unknown[] } };
      }[];
    };
    for (const { code, txhash: hash, tx } of found.tx_responses) {
      if (code !== 0) continue;
      const accounts = tx.body.messages.filter(isObject).flatMap(accountsOf);
      writes.push(...accounts.map((account) => ({ account, hash })));
    }
    if (page * pageSize >= Number(found.total)) return writes;
  }
  throw new Error(`${sender} has more than ${maxPages * pageSize} transactions`);
}

/** Sends coins of the test deployer to accounts, in one transaction; an account exists once it has received coins. */
export async function fundCosmos({ restUrl, chainId }: CosmosNode, addresses: readonly string[]): Promise<void> {
  const key = new MnemonicKey({ mnemonic: testAccounts.deployer.mnemonic });
  const rest = new RESTClient(restUrl, { chainId, gasPrices: "0umin", gasAdjustment: "1.75" });
  const wallet = new Wallet(rest, key);
  const msgs = addresses.map((address) => new MsgSend(key.accAddress, address, "1000000umin"));
  const result = await rest.tx.broadcast(await wallet.createAndSignTx({ msgs }), hangBoundMs);
  if (isTxError(result)) throw new Error(`the accounts of the soak were not funded: ${result.raw_log}`);
}
