import { startVipnode, type CosmosNode } from "@vipscore/localnet";
import { balanceRest } from "@vipscore/testkit/balanceRest";
import { until } from "@vipscore/testkit/until";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshAccount } from "./testContract.ts";

const hour = 3_600_000;
const status = "/cosmos/base/node/v1beta1/status";
const blocks = "/cosmos/base/tendermint/v1beta1/blocks";
let chain: CosmosNode;
beforeAll(async () => {
  chain = await startVipnode({ vm: "move" });
});
afterAll(() => chain.stop());

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

/** The hash of the only transaction in a block from a height on. */
async function transactionFrom(from: bigint): Promise<string> {
  const search = `/cosmos/tx/v1beta1/txs?query=${encodeURIComponent(`tx.height>=${from}`)}`;
  const { tx_responses: found } = (await get(chain.restUrl, search)).body as { tx_responses: { txhash: string }[] };
  return found[0]!.txhash;
}

test("a replica that is behind shows the node as it was, and refuses what it does not have in the node's words", async () => {
  await using late = await balanceRest({ upstreamUrl: chain.restUrl, lagsMs: [hour], seed: 1 });
  const head = await heightOf(late.url);
  const { address } = await freshAccount(chain);
  const balance = `/cosmos/bank/v1beta1/balances/${address}`;
  expect((await get(chain.restUrl, balance)).body).toMatchObject({ balances: [{ amount: "1000000" }] });

  expect(await heightOf(late.url)).toBe(head);
  expect(await get(late.url, `${blocks}/latest`)).toMatchObject({
    body: { block: { header: { height: head.toString() } } },
  });
  expect((await get(late.url, balance)).body).toMatchObject({ balances: [] });
  expect((await get(late.url, balance, head.toString())).body).toMatchObject({ balances: [] });

  const far = "9007199254740991";
  const above = (await heightOf(chain.restUrl)).toString();
  expect((await get(chain.restUrl, balance, above)).status).toBe(200);
  expect(await get(late.url, balance, above)).toEqual(await get(chain.restUrl, balance, far));
  expect(await get(late.url, `${blocks}/${above}`)).toEqual(await get(chain.restUrl, `${blocks}/${far}`));

  const hash = await transactionFrom(head + 1n);
  const path = `/cosmos/tx/v1beta1/txs/${hash}`;
  expect((await get(chain.restUrl, path)).status).toBe(200);
  const nobody = "0".repeat(64);
  const unknown = await get(chain.restUrl, `/cosmos/tx/v1beta1/txs/${nobody}`);
  const text = String(unknown.body["message"]).replace(nobody, hash);
  expect(await get(late.url, path)).toEqual({ status: 404, body: { ...unknown.body, message: text } });
});

test("a replica gets to the node's state", async () => {
  await using near = await balanceRest({ upstreamUrl: chain.restUrl, lagsMs: [200], seed: 1 });
  const { address } = await freshAccount(chain);
  const seen = await heightOf(chain.restUrl);
  await until(`height ${seen} on the replica`, async () => (await heightOf(near.url)) >= seen);
  const { body } = await get(near.url, `/cosmos/bank/v1beta1/balances/${address}`);
  expect(body).toMatchObject({ balances: [{ amount: "1000000" }] });
});
