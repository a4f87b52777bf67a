import { expect, test } from "vitest";
import { openJsonRpc, restOverRpc } from "@vipscore/core/wire";
import { result, scriptNode, type Reply } from "@vipscore/testkit/scriptedNode";
import { checkChainId, openHeights } from "./chainFacts.ts";

const height = (text: string): Reply => result({ response: { data: "minitia", last_block_height: text } });

async function read(replies: readonly Reply[]) {
  const server = await scriptNode({ abci_info: replies });
  const outcome = await openHeights(restOverRpc(openJsonRpc(server.url)))
    .getHeight()
    .catch((error: unknown) => error);
  return { outcome, requests: server.requests };
}

// recorded on miniwasm; its answer does not include a version
test("the newest height", async () => {
  expect((await read([height("5807")])).outcome).toBe(5807n);
});

test("a read survives answers without the requested field", async () => {
  const { outcome, requests } = await read([result({ response: {} }), result({}), height("7")]);
  expect(outcome).toBe(7n);
  expect(requests).toHaveLength(3);
});

test("a height that stays missing, malformed or below 1 is reported", async () => {
  const replies = [result({ response: {} }), height("-4"), height("0")];
  for (const { outcome, requests } of await Promise.all(replies.map((reply) => read([reply])))) {
    expect(outcome).toMatchObject({ code: "NODE_BAD_RESPONSE" });
    expect(String(outcome)).toContain(" height ");
    expect(requests.length).toBeGreaterThan(1);
  }
});

test("a node without an index of transactions is refused only where receipts are needed", async () => {
  const info = { node_info: { network: "miniwasm-2", other: { tx_index: "off" } } };
  const { url } = await scriptNode({ status: [result(info)] });
  expect(await checkChainId(restOverRpc(openJsonRpc(url)), {})).toBe("miniwasm-2");
  await expect(checkChainId(restOverRpc(openJsonRpc(url)), { needsReceipts: true })).rejects.toMatchObject({
    code: "TX_INDEX_OFF",
  });
});
