import { expect, test } from "vitest";
import { stage } from "@vipscore/core";
import { openRest } from "@vipscore/core/wire";
import { refusal, script, type ScriptedAnswer } from "@vipscore/testkit/scriptedServer";
import { findModuleStore, findStageEntry, readModuleStore } from "./moduleStore.ts";
import { parseModuleAddress } from "./moveAddress.ts";

// Recorded on minimove (movevm v1.2.0) with the reference module.
const address = parseModuleAddress("0xc5ea55d90ae84e307622f1b8b13535ec3eff0475");
const storePath = `/initia/move/v1/accounts/${address}/resources/by_struct_tag`;
const storeBytes =
  "AQAAAAAAAAACAAAAAAAAAAAAAAAAxepV2QroTjB2IvG4sTU17D7/BHUBAAAAAAAAAAAAAAAAjK0l7IChBSLCWOL1mr8ABslEXRsBwzGbwSPGXBB3r0eZEvgIQCPeJKq4GDTlhb9uTTqGPHsDAAAAAAAAAA==";
const stages = "c3319bc123c65c1077af479912f8084023de24aab81834e585bf6e4d3a863c7b";
const entryPath = `/initia/move/v1/tables/0x${stages}/entries/by_key_bytes`;
const entryBytes = "DuFfAAAAAAAB6LuzpeMgEAJ8MXyhJgQVBPOvjYENwGpUytPZ/aq6FjQbDgAAAAAAAA==";

const store = (raw_bytes: unknown): ScriptedAnswer => ({ body: { resource: { raw_bytes } } });
const entry = (value_bytes: unknown): ScriptedAnswer => ({ body: { table_entry: { value_bytes } } });

async function readerOf(answer: ScriptedAnswer) {
  const server = await script({ [storePath]: [answer], [entryPath]: [answer] });
  return { server, reader: { rest: openRest(server.url), address } };
}

test("the recorded store", async () => {
  const { server, reader } = await readerOf(store(storeBytes));
  expect(await findModuleStore(reader, { height: 5n })).toEqual({
    initStage: 1n,
    deployers: [address, "0x8cad25ec80a10522c258e2f59abf0006c9445d1b"],
    stages,
  });
  expect(server.requests[0]?.query.get("struct_tag")).toBe(`${address}::vip_score::ModuleStore`);
  expect(server.requests[0]?.headers["x-cosmos-block-height"]).toBe("5");
});

test("the recorded stage", async () => {
  const { server, reader } = await readerOf(entry(entryBytes));
  expect(await findStageEntry(reader.rest, stages, stage(1n), {})).toEqual({
    total: 6_283_534n,
    isFinalized: true,
    scores: "e8bbb3a5e32010027c317ca126041504f3af8d810dc06a54cad3d9fdaaba1634",
    count: 3611n,
  });
  expect(server.requests[0]?.query.get("key_bytes")).toBe("AQAAAAAAAAA=");
});

test("bytes that are unreadable once are read again", async () => {
  const { url } = await script({ [entryPath]: [entry(storeBytes), entry(entryBytes)] });
  expect(await findStageEntry(openRest(url), stages, stage(1n), {})).toMatchObject({ count: 3611n });
});

test("a missing resource or entry is absent", async () => {
  const { reader } = await readerOf(refusal("collections: not found: key 'hexBytes:00' of type bytes"));
  expect(await findModuleStore(reader, {})).toBeUndefined();
  await expect(readModuleStore(reader, {})).rejects.toMatchObject({ code: "CONTRACT_NOT_FOUND" });
  expect(await findStageEntry(reader.rest, stages, stage(1n), {})).toBeUndefined();
});

test("a pruned state does not count as absent", async () => {
  const { reader } = await readerOf(refusal("failed to load state at height 5; version does not exist"));
  await expect(findModuleStore(reader, { height: 5n })).rejects.toMatchObject({ code: "NODE_ERROR" });
});

// All at the same time, because each is retried for seconds.
test("a malformed store is unreadable", async () => {
  const bytes = Buffer.from(storeBytes, "base64");
  const cases = [
    bytes.subarray(0, 60).toString("base64"),
    Buffer.concat([bytes, Buffer.alloc(1)]).toString("base64"),
    "#####",
    5,
  ];
  const readings = cases.map(async (raw_bytes) => {
    const { reader } = await readerOf(store(raw_bytes));
    await expect(findModuleStore(reader, {})).rejects.toMatchObject({
      code: "NODE_BAD_RESPONSE",
      shortMessage: expect.stringContaining(" resource.raw_bytes ") as unknown,
    });
  });
  await Promise.all(readings);
});
