import { expect, test } from "vitest";
import { startVipnode } from "@vipscore/localnet";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testBalancedEndpoint } from "@vipscore/testkit/adapter/balancedEndpoint";
import { balanceRest } from "@vipscore/testkit/balanceRest";
import { freshAccount } from "./testContract.ts";

const hour = 3_600_000;
const status = "/cosmos/base/node/v1beta1/status";
const blocks = "/cosmos/base/tendermint/v1beta1/blocks";
const chain = useChain(() => startVipnode({ vm: "move" }));

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}
async function get(url: string, path: string, height?: string): Promise<Answer> {
  const headers = height === undefined ? {} : { "x-cosmos-block-height": height };
  const response = await fetch(url + path, { headers });
  return { status: response.status, body: (await response.json()) as Answer["body"] };
}
async function heightOf(url: string): Promise<bigint> {
  return BigInt(String((await get(url, status)).body["height"]));
}

/** The hash of the only transaction at or above a height. */
async function transactionFrom(from: bigint): Promise<string> {
  const search = `/cosmos/tx/v1beta1/txs?query=${encodeURIComponent(`tx.height>=${from}`)}`;
  const { tx_responses: found } = (await get(chain().restUrl, search)).body as { tx_responses: { txhash: string }[] };
  return found[0]!.txhash;
}

function balancePath(address: string): string {
  return `/cosmos/bank/v1beta1/balances/${address}`;
}

testBalancedEndpoint(() => ({
  url: chain().restUrl,
  balance: (lagMs) => balanceRest({ upstreamUrl: chain().restUrl, lagsMs: [lagMs], seed: 1 }),
  heightOf,
  balanceOf: async (url, address, height) => {
    const { body } = await get(url, balancePath(address), height?.toString());
    return BigInt((body as { balances: { amount: string }[] }).balances[0]?.amount ?? 0);
  },
  fund: async () => (await freshAccount(chain())).address,
}));

test("a lagging replica refuses what it does not have with the node's own errors", async () => {
  const { restUrl } = chain();
  await using late = await balanceRest({ upstreamUrl: restUrl, lagsMs: [hour], seed: 1 });
  const head = await heightOf(late.url);
  const { address } = await freshAccount(chain());
  const balance = balancePath(address);
  expect(await get(late.url, `${blocks}/latest`)).toMatchObject({
    body: { block: { header: { height: head.toString() } } },
  });

  const far = "9007199254740991";
  const above = (await heightOf(restUrl)).toString();
  expect((await get(restUrl, balance, above)).status).toBe(200);
  expect(await get(late.url, balance, above)).toEqual(await get(restUrl, balance, far));
  expect(await get(late.url, `${blocks}/${above}`)).toEqual(await get(restUrl, `${blocks}/${far}`));

  const hash = await transactionFrom(head + 1n);
  const path = `/cosmos/tx/v1beta1/txs/${hash}`;
  expect((await get(restUrl, path)).status).toBe(200);
  const nobody = "0".repeat(64);
  const unknown = await get(restUrl, `/cosmos/tx/v1beta1/txs/${nobody}`);
  const text = String(unknown.body["message"]).replace(nobody, hash);
  expect(await get(late.url, path)).toEqual({ status: 404, body: { ...unknown.body, message: text } });
});
