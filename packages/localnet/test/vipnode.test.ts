import { readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { started } from "@vipscore/testkit/started";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import {
  buildVipnode,
  prepareVipnodes,
  startVipnode,
  testAccounts,
  type CosmosNode,
  type VipnodeVm,
} from "../src/index.ts";
import { digestVipnodeSources, findVipnodeSources } from "../src/vipnode/buildVipnode.ts";
import { expectPortFree } from "./evmClient.ts";

const folder = temporaryFolder();

const funded = {
  "the deployer, coin type 60": "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6",
  "the operator, coin type 60": "init13jkjtmyq5yzj9sjcut6e40cqqmy5ghgmwz3rlq",
};

async function get(url: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(url);
  return { status: response.status, body: await response.json() };
}

async function height({ restUrl }: CosmosNode): Promise<number> {
  const { body } = await get(`${restUrl}/cosmos/base/tendermint/v1beta1/blocks/latest`);
  return Number((body as { readonly block: { readonly header: { readonly height: string } } }).block.header.height);
}

/** The VMs, each with a route that only it has and its initial answer. */
const chains: readonly (readonly [VipnodeVm, string, object])[] = [
  ["move", "/initia/move/v1/accounts/0x1/modules/table", { module: { module_name: "table" } }],
  ["wasm", "/cosmwasm/wasm/v1/codes/params", { params: { code_upload_access: { permission: "Everybody" } } }],
];

describe.each(chains)("a local %s chain", (vm, route, held) => {
  const node = started(() => startVipnode({ vm }));

  test("reports its kind and listens only on 127.0.0.1", async () => {
    expect(node).toMatchObject({ vm, accounts: Object.values(testAccounts) });
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

  test("makes blocks by itself, so that time advances", async () => {
    const before = await height(node);
    await expect.poll(() => height(node)).toBeGreaterThan(before);
  });

  test("has its VM", async () => {
    expect(await get(node.restUrl + route)).toMatchObject({ status: 200, body: held });
  });

  test("a page of another origin may call it", async () => {
    for (const url of [node.restUrl + route, node.rpcUrl]) {
      const preflight = await fetch(url, { method: "OPTIONS" });
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "health", params: {} });
      const answered = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
      const allowed = [preflight, answered].map(({ headers }) => headers.get("access-control-allow-origin"));
      expect([preflight.status, allowed]).toEqual([204, ["*", "*"]]);
      expect(preflight.headers.get("access-control-allow-headers")).toBe("*");
    }
  });
});

test("with l1, the chain has the module vip and prints its address", async () => {
  await using node = await startVipnode({ vm: "move", l1: true });
  const { vipAddress } = node;
  const tag = encodeURIComponent(`${vipAddress}::vip::ModuleStore`);
  const path = `/initia/move/v1/accounts/${vipAddress}/resources/by_struct_tag?struct_tag=${tag}`;
  expect((await get(node.restUrl + path)).status).toBe(200);
});

test("stopping frees both ports; they can be used again", async () => {
  const first = await startVipnode({ vm: "move", chainId: "again-1", blockTimeMs: 200 });
  const [restPort, rpcPort] = [first.restUrl, first.rpcUrl].map((url) => Number(new URL(url).port));
  await first.stop();
  await expectPortFree(first.restUrl);
  await expectPortFree(first.rpcUrl);
  const second = await startVipnode({ vm: "move", restPort: restPort!, rpcPort: rpcPort!, chainId: "again-1" });
  expect(second).toMatchObject({ restUrl: first.restUrl, rpcUrl: first.rpcUrl, chainId: "again-1" });
  await second.stop();
});

test("a port that is taken: CONFIG_INVALID, naming it", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  try {
    const starting = startVipnode({ vm: "move", restPort: port });
    await expect(starting).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      shortMessage: expect.stringContaining(`port ${port} `) as string,
    });
  } finally {
    await new Promise((resolve) => other.close(resolve));
  }
});

test("without Go and a C compiler vipnode is the one on PATH, and the error names both ways to get it", async () => {
  const program = await buildVipnode({ vm: "move" });
  const path = process.env["PATH"];
  process.env["PATH"] = folder;
  const missing = /\bGo 1\.23\b.*\bC compiler\b/;
  try {
    await expect(buildVipnode({ vm: "move" })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      shortMessage: expect.stringMatching(missing) as string,
    });
    await expect(prepareVipnodes({ vms: ["move", "wasm"] })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      shortMessage: expect.stringMatching(missing) as string,
      advice: [
        expect.stringMatching(/@vipscore\/vipnode-\S+ \d+\.\d+\.\d+\b.*\bGo 1\.23\b/) as string,
        { code: "name-endpoint", text: expect.stringMatching(/minitiad.*endpoint.*REST.*RPC/) as string },
      ],
    });
    // Programs of another version may understand other options.
    await writeFile(join(folder, "vipnode-move"), "#!/bin/sh\necho vipnode-move 0.0.1\n", { mode: 0o755 });
    await expect(prepareVipnodes({ vms: ["move"] })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await rm(join(folder, "vipnode-move"));
    await symlink(program, join(folder, "vipnode-move"));
    expect(await prepareVipnodes({ vms: ["move"] })).toEqual(["vipnode-move"]);
    await (await startVipnode({ vm: "move" })).stop();
  } finally {
    process.env["PATH"] = path;
  }
});

test("where Go is, the sources win", async () => {
  expect(await prepareVipnodes({ vms: ["wasm", "move"] })).toEqual([
    await buildVipnode({ vm: "wasm" }),
    await buildVipnode({ vm: "move" }),
  ]);
});

test("an existing build is reused, and changes with its sources and the compiler", async () => {
  const program = await buildVipnode({ vm: "move" });
  let reports = 0;
  expect(await buildVipnode({ vm: "move", onProgress: () => (reports += 1) })).toBe(program);
  expect(reports).toBe(0);
  const sources = findVipnodeSources()!;
  expect(await digestVipnodeSources(sources, "go1")).toBe(await digestVipnodeSources(sources, "go1"));
  expect(await digestVipnodeSources(sources, "go1")).not.toBe(await digestVipnodeSources(sources, "go2"));
});

/** Two transactions of the operator as recorded on minimove: plain with sequence 43, and queued with sequence 43. */
async function recordedTransactions(): Promise<{ readonly plain: string; readonly queued: string }> {
  const file = `${findVipnodeSources()}/test/fidelity/move/testdata/minimove-mempool-rest.json`;
  const exchanges = JSON.parse(await readFile(file, "utf8")) as readonly {
    readonly request: { readonly body: { readonly tx_bytes: string } };
  }[];
  return { plain: exchanges[1]!.request.body.tx_bytes, queued: exchanges[3]!.request.body.tx_bytes };
}

async function broadcast(node: CosmosNode, tx: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(`${node.restUrl}/cosmos/tx/v1beta1/txs`, {
    method: "POST",
    body: JSON.stringify({ tx_bytes: tx, mode: "BROADCAST_MODE_SYNC" }),
  });
  return { status: response.status, body: await response.json() };
}

test("by default a later sequence needs the extension option, and then waits", async () => {
  const { plain, queued } = await recordedTransactions();
  await using node = await startVipnode({ vm: "move", chainId: "local-move-1" });
  expect(await broadcast(node, plain)).toMatchObject({
    status: 200,
    body: {
      tx_response: {
        codespace: "sdk",
        code: 32,
        raw_log:
          "account sequence mismatch, expected 0, got 43; use extension option /initia.tx.v1.ExtensionOptionQueuedTx" +
          " for queued tx: incorrect account sequence",
      },
    },
  });
  expect(await broadcast(node, queued)).toMatchObject({ body: { tx_response: { code: 0 } } });
  expect(await broadcast(node, queued)).toMatchObject({ body: { tx_response: { code: 19, raw_log: "" } } });
});

test("the classic mempool does not name the extension option, and fails on it", async () => {
  const { plain, queued } = await recordedTransactions();
  await using node = await startVipnode({ vm: "move", chainId: "local-move-1", mempool: "classic" });
  expect(await broadcast(node, plain)).toMatchObject({
    body: {
      tx_response: { code: 32, raw_log: "account sequence mismatch, expected 0, got 43: incorrect account sequence" },
    },
  });
  expect(await broadcast(node, queued)).toMatchObject({
    status: 500,
    body: { error: { code: -32603, data: "runtime error: index out of range [0] with length 0" } },
  });
});
