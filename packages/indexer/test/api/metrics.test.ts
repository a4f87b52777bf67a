import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { createApi } from "../../src/api/createApi.ts";
import { IndexerMetrics } from "../../src/api/indexerMetrics.ts";
import { address, apply, block, collection, mint } from "../store/blocks.ts";
import { openNew } from "../store/databases.ts";
import { nft } from "./sample.ts";

const dashboard = new URL("../../../../docs/indexer-dashboard.json", import.meta.url);

async function served() {
  const store = await openNew(async () => ":memory:");
  await apply(store, block(5, collection(address("c1")), mint(address("c1"), "1", address("a1"), { uri: undefined })));
  await store.noteHead(20, 1_700_000_000_000);
  const metrics = new IndexerMetrics();
  metrics.countEvent({ type: "indexed", height: 5, head: 20, changes: 3 });
  const api = createApi({ store, metrics });
  await api.request(`${nft}/collections`);
  await api.request(`${nft}/collections/zz`);
  const response = await api.request("/metrics");
  expect(response.headers.get("content-type")).toContain("version=0.0.4");
  return response.text();
}

it("serves the state of the index, and what this process did", async () => {
  const text = await served();
  for (const line of [
    "vipscore_indexer_height 5",
    "vipscore_indexer_head 20",
    "vipscore_indexer_lag_blocks 15",
    "vipscore_indexer_seen_timestamp_seconds 1700000000",
    "vipscore_indexer_left_out 0",
    "vipscore_indexer_pending_uris 1",
    "vipscore_indexer_changes_total 3",
    'vipscore_indexer_requests_total{status="200"} 1',
    'vipscore_indexer_requests_total{status="400"} 1',
    "vipscore_indexer_request_duration_seconds_count 2",
  ]) {
    expect(text.split("\n")).toContain(line);
  }
});

it("has the metrics of the documented dashboard, which shows all of them", async () => {
  const text = await served();
  const names = Array.from(text.matchAll(/^# TYPE (\S+)/gm), ([, name = ""]) => name);
  const { panels } = JSON.parse(await readFile(dashboard, "utf8")) as {
    readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
  };
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join("\n");
  const shown = new Set(Array.from(expressions.matchAll(/vipscore_\w+/g), ([name]) => name.replace(/_bucket$/, "")));
  expect([...shown].sort()).toEqual(names.sort());
});
