import { createServer, type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildVipnode, startVipnode, testAccounts, type MoveNode } from "../src/index.ts";
import { digestVipnodeSources, findVipnodeSources } from "../src/vipnode/vipnodeSources.ts";
import { expectPortFree } from "./evmClient.ts";

const funded = {
  "the deployer, coin type 60": "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6",
  "the operator, coin type 60": "init13jkjtmyq5yzj9sjcut6e40cqqmy5ghgmwz3rlq",
};

async function get(url: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(url);
  return { status: response.status, body: await response.json() };
}

async function height({ restUrl }: MoveNode): Promise<number> {
  const { body } = await get(`${restUrl}/cosmos/base/tendermint/v1beta1/blocks/latest`);
  return Number((body as { readonly block: { readonly header: { readonly height: string } } }).block.header.height);
}

describe("a local Move chain", () => {
  let node: MoveNode;
  beforeAll(async () => {
    node = await startVipnode();
  }, 30_000);
  afterAll(() => node.stop());

  test("says what it is, on 127.0.0.1 alone", async () => {
    expect(node).toMatchObject({ vm: "move", kind: "vipnode", accounts: Object.values(testAccounts) });
    expect(node.restUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const { body } = await get(`${node.restUrl}/cosmos/base/tendermint/v1beta1/node_info`);
    expect(body).toMatchObject({ default_node_info: { network: node.chainId } });
    expect(await get(`${node.rpcUrl}/status`)).toMatchObject({
      status: 200,
      body: { result: { node_info: { network: node.chainId } } },
    });
    expect(node.vipAddress).toBeUndefined();
  });

  test.each(Object.entries(funded))("has funded %s", async (_name, address) => {
    const { body } = await get(`${node.restUrl}/cosmos/bank/v1beta1/balances/${address}`);
    expect(body).toMatchObject({ balances: [{ denom: "umin", amount: "1000000000000000" }] });
  });

  test("goes on by itself, so that time does", async () => {
    const before = await height(node);
    await expect.poll(() => height(node), { timeout: 5_000 }).toBeGreaterThan(before);
  });

  test("has the standard library", async () => {
    const { status, body } = await get(`${node.restUrl}/initia/move/v1/accounts/0x1/modules/table`);
    expect({ status, body }).toMatchObject({ status: 200, body: { module: { module_name: "table" } } });
  });
});

test("with l1, the module vip is there and tells its address", async () => {
  await using node = await startVipnode({ l1: true });
  const { vipAddress } = node;
  const tag = encodeURIComponent(`${vipAddress}::vip::ModuleStore`);
  const path = `/initia/move/v1/accounts/${vipAddress}/resources/by_struct_tag?struct_tag=${tag}`;
  expect((await get(node.restUrl + path)).status).toBe(200);
}, 30_000);

test("stopping frees both ports; they can be asked for again", async () => {
  const first = await startVipnode({ chainId: "again-1", blockTimeMs: 200 });
  const [restPort, rpcPort] = [first.restUrl, first.rpcUrl].map((url) => Number(new URL(url).port));
  await first.stop();
  await expectPortFree(first.restUrl);
  await expectPortFree(first.rpcUrl);
  const second = await startVipnode({ restPort: restPort!, rpcPort: rpcPort!, chainId: "again-1" });
  expect(second).toMatchObject({ restUrl: first.restUrl, rpcUrl: first.rpcUrl, chainId: "again-1" });
  await second.stop();
}, 30_000);

test("a port that is taken: CONFIG_INVALID, naming it", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  try {
    const starting = startVipnode({ restPort: port });
    await expect(starting).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      shortMessage: expect.stringContaining(`port ${port} `) as string,
    });
  } finally {
    await new Promise((resolve) => other.close(resolve));
  }
}, 30_000);

test("without Go the message says what to install", async () => {
  const path = process.env["PATH"];
  process.env["PATH"] = "/nowhere";
  try {
    await expect(buildVipnode()).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      shortMessage: expect.stringMatching(/Go 1\.\d+ or newer.*install.*minitiad.*--rest-url/) as string,
    });
  } finally {
    process.env["PATH"] = path;
  }
});

test("what is built already is found again, and changes with its sources and the compiler", async () => {
  const program = await buildVipnode();
  let asked = 0;
  expect(await buildVipnode({ onProgress: () => (asked += 1) })).toBe(program);
  expect(asked).toBe(0);
  const sources = findVipnodeSources()!;
  expect(await digestVipnodeSources(sources, "go1")).toBe(await digestVipnodeSources(sources, "go1"));
  expect(await digestVipnodeSources(sources, "go1")).not.toBe(await digestVipnodeSources(sources, "go2"));
});
