import { Tx } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import { forward, jsonAnswer, startProxy, type Proxy } from "./startProxy.ts";

/** The base price of gas on an L1, which a test moves. */
export interface BasePrice {
  readonly denom: string;
  /** A decimal number, such as `0.015`. */
  amount: string;
}

/** Starts the REST endpoint of a local L1 that has a base price, as Initia v1.4.6 has: it refuses each transaction that pays less. */
export function startPricedL1(upstreamUrl: string, base: BasePrice): Promise<Proxy> {
  return startProxy(async (request) => {
    if (request.path === "/initia/tx/v1/gas_prices") {
      // Sorted by name, other tokens before the own one.
      return jsonAnswer({ gas_prices: [{ denom: "ibc/0471", amount: "3" }, base] });
    }
    // The local chain names another token than the one that its accounts hold.
    if (request.path === "/initia/move/v1/params") return jsonAnswer({ params: { base_denom: base.denom } });
    if (request.method === "POST" && request.path === "/cosmos/tx/v1beta1/txs") {
      const { tx_bytes } = JSON.parse(request.body) as { readonly tx_bytes: string };
      const { fee } = Tx.decode(Buffer.from(tx_bytes, "base64")).authInfo ?? {};
      const paid = fee?.amount.find(({ denom }) => denom === base.denom)?.amount ?? "0";
      if (Number(paid) < Number(fee?.gasLimit ?? 0n) * Number(base.amount)) {
        const raw_log = `base gas price required: ${base.amount}: insufficient fee`;
        return jsonAnswer({ tx_response: { code: 13, codespace: "sdk", raw_log, txhash: "" } });
      }
    }
    return forward(upstreamUrl, request);
  });
}
