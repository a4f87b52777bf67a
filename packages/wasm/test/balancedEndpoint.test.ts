import { QueryBalanceRequest, QueryBalanceResponse } from "cosmjs-types/cosmos/bank/v1beta1/query";
import { MsgSend } from "cosmjs-types/cosmos/bank/v1beta1/tx";
import { expect, test } from "vitest";
import { startVipnode } from "@vipscore/localnet";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testBalancedEndpoint } from "@vipscore/testkit/adapter/balancedEndpoint";
import { balanceComet } from "@vipscore/testkit/balanceComet";
import { deployer, execute, freshAccount } from "./testContract.ts";

const hour = 3_600_000;
const far = "9007199254740991";
const chain = useChain(() => startVipnode({ vm: "wasm" }));

interface Answer {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: string };
}
async function post(url: string, method: string, params: object = {}): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return (await fetch(url, { method: "POST", body })).json() as Promise<Answer>;
}
async function heightOf(url: string): Promise<bigint> {
  const { response } = (await post(url, "abci_info")).result as { readonly response: { last_block_height: string } };
  return BigInt(response.last_block_height);
}

interface Queried {
  readonly code: number;
  readonly height: string;
  readonly value: string;
}
async function queryBalance(url: string, address: string, height?: string): Promise<Queried> {
  const data = Buffer.from(QueryBalanceRequest.encode({ address, denom: "umin" }).finish()).toString("hex");
  const at = height === undefined ? {} : { height };
  const params = { path: "/cosmos.bank.v1beta1.Query/Balance", data, ...at };
  return ((await post(url, "abci_query", params)).result as { readonly response: Queried }).response;
}
function amountOf({ value }: Queried): string | undefined {
  return QueryBalanceResponse.decode(Buffer.from(value, "base64")).balance?.amount;
}

testBalancedEndpoint(() => ({
  url: chain().rpcUrl,
  balance: (lagMs) => balanceComet({ upstreamUrl: chain().rpcUrl, lagsMs: [lagMs], seed: 1 }),
  heightOf,
  balanceOf: async (url, address, height) =>
    BigInt(amountOf(await queryBalance(url, address, height?.toString())) ?? 0),
  fund: async () => (await freshAccount(chain())).address,
}));

test("a lagging replica refuses what it does not have with the node's own errors", async () => {
  await using late = await balanceComet({ upstreamUrl: chain().rpcUrl, lagsMs: [hour], seed: 1 });
  const head = (await heightOf(late.url)).toString();
  const { address } = await freshAccount(chain());
  const above = (await heightOf(chain().rpcUrl)).toString();
  expect(await queryBalance(late.url, address)).toMatchObject({ height: head });
  const { result } = await post(late.url, "status");
  const own = (await post(chain().rpcUrl, "block", { height: head })).result as {
    readonly block_id: { readonly hash: string };
  };
  expect(result).toMatchObject({
    sync_info: { latest_block_height: head, latest_block_hash: own.block_id.hash, catching_up: false },
  });
  expect(await post(late.url, "block")).toMatchObject({ result: { block: { header: { height: head } } } });

  // How the node itself answers a height that it does not have.
  expect(await queryBalance(late.url, address, above)).toEqual(await queryBalance(chain().rpcUrl, address, far));
  for (const method of ["block", "block_results"]) {
    const { error } = await post(chain().rpcUrl, method, { height: far });
    const text = /^height \d+ must be less than or equal to the current blockchain height \d+$/;
    expect(error).toMatchObject({ code: -32603, message: "Internal error", data: expect.stringMatching(text) });
    const refused = await post(late.url, method, { height: above });
    expect(refused.error).toEqual({
      ...error,
      data: `height ${above} must be less than or equal to the current blockchain height ${head}`,
    });
  }
});

test("a transaction above the head is unknown, by its hash and in searches", async () => {
  await using late = await balanceComet({ upstreamUrl: chain().rpcUrl, lagsMs: [hour], seed: 1 });
  const { address } = deployer;
  const amount = [{ denom: "umin", amount: "1" }];
  const value = MsgSend.encode({ fromAddress: address, toAddress: address, amount }).finish();
  const { hash } = await execute(chain(), deployer, { typeUrl: MsgSend.typeUrl, value });
  const params = { hash: Buffer.from(hash, "hex").toString("base64") };
  expect((await post(chain().rpcUrl, "tx", params)).result).toMatchObject({ hash });
  const nobody = { hash: Buffer.alloc(32).toString("base64") };
  const { error } = await post(chain().rpcUrl, "tx", nobody);
  expect((await post(late.url, "tx", params)).error).toEqual({
    ...error,
    data: error?.data?.replace("0".repeat(64), hash),
  });
  for (const query of [`tx.hash='${hash}'`, `message.sender='${address}'`]) {
    const { result: found } = await post(chain().rpcUrl, "tx_search", { query });
    expect(found?.["txs"]).toContainEqual(expect.objectContaining({ hash }));
  }
  const byHash = await post(late.url, "tx_search", { query: `tx.hash='${hash}'` });
  expect(byHash.result).toEqual({ txs: [], total_count: "0" });
  const { result: sent } = await post(late.url, "tx_search", { query: `message.sender='${address}'` });
  expect(sent?.["txs"]).not.toContainEqual(expect.objectContaining({ hash }));
});
