import { expect, test } from "vitest";
import {
  bridgesOf,
  findBridge,
  readFundedRewards,
  readVipBridges,
  readVipSnapshot,
  registrationAt,
  type VipBridge,
  type VipBridges,
} from "../src/index.ts";
import {
  absent,
  block,
  bridgeEntry,
  bridgeKey,
  bridgesPage,
  json,
  refusal,
  resource,
  serve,
  snapshotEntry,
  stageEntry,
  tableEntry,
  type Answer,
} from "./l1Server.ts";

const wanted = { bridgeId: 7n, version: 2n, stage: 12n };

test("registered and ended registrations, by pages at the height of the newest block", async () => {
  const ended = { key: bridgeKey(false, 7n, 1n), value: { ...bridgeEntry, init_stage: "3", end_stage: "12" } };
  const registered = { key: bridgeKey(true, 7n, 2n), value: bridgeEntry };
  const unknown = { key: bridgeKey(true, 300n, 1n), value: { ...bridgeEntry, vm_type: "9" } };
  await using server = await serve(
    block(),
    resource(),
    bridgesPage([ended, registered], "AQ=="),
    bridgesPage([unknown]),
  );
  const found = await readVipBridges({ l1RestUrl: server.url });
  const second: VipBridge = {
    bridgeId: 7n,
    version: 2n,
    initStage: 13n,
    endStage: undefined,
    scoreContract: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
    vm: "evm",
    operatorAddress: "0x8cad25ec80a10522c258e2f59abf0006c9445d1b",
    bridgeAddress: "0xb1",
    weight: 25n * 10n ** 16n,
  };
  const first = { ...second, version: 1n, initStage: 3n, endStage: 12n };
  expect(found).toMatchObject({
    height: 5365n,
    bridges: [second, { ...second, bridgeId: 300n, version: 1n, vm: undefined }],
    ended: [first],
  });
  expect(server.requests.slice(2).map(({ path }) => path)).toEqual([
    "/initia/move/v1/tables/0xc2/entries?pagination.limit=100",
    "/initia/move/v1/tables/0xc2/entries?pagination.limit=100&pagination.key=AQ%3D%3D",
  ]);
  const heights = server.requests.slice(1).map(({ headers }) => headers["x-cosmos-block-height"]);
  expect(heights).toEqual(["5365", "5365", "5365"]);
  const stages = [2n, 3n, 12n, 13n, 99n].map((stage) => registrationAt([first, second], stage)?.version);
  expect(stages).toEqual([undefined, 1n, 1n, 2n, 2n]);
  expect(registrationAt([first, { ...second, initStage: 20n }], 15n)).toBeUndefined();
});

test("a bridge that is found by its contract alone is warned of", () => {
  const [vm, address] = ["evm", "0x5fbdb2315678afecb367f032d93f642f64180aa3"] as const;
  const bridge: VipBridge = {
    bridgeId: 4n,
    version: 1n,
    initStage: 1n,
    endStage: undefined,
    scoreContract: address,
    vm,
    operatorAddress: "0x1",
    bridgeAddress: "0x2",
    weight: 0n,
  };
  const registered = { bridges: [bridge], ended: [] } as unknown as VipBridges;
  const contract = { vm, chainId: "1", address };
  const warningsOf = (bridgeId: bigint | undefined) =>
    findBridge(registered, { bridgeId, contract, stage: 1n }).warnings;
  expect(warningsOf(undefined)).toEqual([expect.stringMatching(/\b4\b/)]);
  expect(warningsOf(4n)).toEqual([]);
});

test("a contract is found however the proposal spelled it", () => {
  const bridge = {
    bridgeId: 1n,
    version: 1n,
    initStage: 1n,
    endStage: undefined,
    operatorAddress: "0x1",
    bridgeAddress: "0x2",
    weight: 0n,
  };
  const spelled = (vm: "evm" | "move" | "wasm", scoreContract: string): VipBridge => ({ ...bridge, vm, scoreContract });
  const bridges = [
    spelled("evm", "0x5FbDB2315678afecb367f032d93F642f64180aa3"),
    spelled("evm", " 0X5FBDB2315678AFECB367F032D93F642F64180AA3 "),
    spelled("move", "0x1234"),
    spelled("move", "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6"),
    spelled("evm", "to be announced"),
  ];
  const found = (vm: "evm" | "move", address: string): readonly number[] =>
    bridgesOf(bridges, { vm, address }).map((one) => bridges.indexOf(one));
  expect(found("evm", "0x5fbdb2315678afecb367f032d93f642f64180aa3")).toEqual([0, 1]);
  expect(found("move", `0x${"1234".padStart(64, "0")}`)).toEqual([2]);
  expect(found("move", "0xc5ea55d90ae84e307622f1b8b13535ec3eff0475")).toEqual([3]);
});

test("the snapshot, read through both tables at one height", async () => {
  await using server = await serve(block(), resource(), tableEntry(stageEntry), tableEntry(snapshotEntry));
  expect(await readVipSnapshot({ l1RestUrl: server.url, ...wanted })).toEqual({
    chainId: "interwoven-1",
    height: 5365n,
    time: new Date("2026-11-21T06:06:15.640Z"),
    createdAt: new Date(1_796_127_000_000),
    updatedAt: new Date(1_796_128_000_000),
    root: "da8a26abe037981b46c77de776621601ea78ae2e9e4d095f4f6887d7b8fb4229",
    total: 1000n,
  });
  const keys = ["08000000000000000c", "080000000000000007080000000000000002"].map((hex) =>
    encodeURIComponent(Buffer.from(hex, "hex").toString("base64")),
  );
  expect(server.requests.slice(2).map(({ path }) => path)).toEqual([
    `/initia/move/v1/tables/0xc1/entries/by_key_bytes?key_bytes=${keys[0]}`,
    `/initia/move/v1/tables/0xd3/entries/by_key_bytes?key_bytes=${keys[1]}`,
  ]);
  expect(server.requests.slice(1).map(({ headers }) => headers["x-cosmos-block-height"])).toEqual([
    "5365",
    "5365",
    "5365",
  ]);
});

test("a root in capitals or without 0x", async () => {
  for (const root of ["0xAB", "ab"]) {
    await using server = await serve(
      block(),
      resource(),
      tableEntry(stageEntry),
      tableEntry({ ...snapshotEntry, merkle_root: root }),
    );
    expect(await readVipSnapshot({ l1RestUrl: server.url, ...wanted })).toMatchObject({ root: "ab" });
  }
});

test("a 404 that no node of L1 writes is not a missing row", async () => {
  await using server = await serve(block(), resource(), refusal(5, "not found", 404));
  const reading = readVipSnapshot({ l1RestUrl: server.url, bridgeId: 7n, version: 1n, stage: 12n });
  await expect(reading).rejects.toMatchObject({ code: "NODE_ERROR" });
});

test.each([
  ["of the stage", [absent]],
  ["of the bridge", [tableEntry(stageEntry), absent]],
])("no snapshot %s", async (_, answers) => {
  await using server = await serve(block(), resource(), ...answers);
  expect(await readVipSnapshot({ l1RestUrl: server.url, ...wanted })).toBeUndefined();
});

test("the error names the field that cannot be read", async () => {
  const stages = tableEntry(stageEntry);
  const wrongSnapshot = (fields: object): readonly Answer[] => [stages, tableEntry({ ...snapshotEntry, ...fields })];
  const cases: readonly (readonly [named: string, ...answers: readonly Answer[]])[] = [
    ["stage_data.handle ", resource({ stage_data: { handle: "c1" } })],
    ["stage_data.handle ", resource({ stage_data: {} })],
    ["value.snapshots.handle ", resource(), tableEntry({ ...stageEntry, snapshots: { handle: "../" } })],
    ["value.merkle_root ", resource(), ...wrongSnapshot({ merkle_root: "0xabc" })],
    ["value.merkle_root ", resource(), ...wrongSnapshot({ merkle_root: ["ab"] })],
    ["value.total_l2_score ", resource(), ...wrongSnapshot({ total_l2_score: 1000 })],
    ["value.create_time ", resource(), ...wrongSnapshot({ create_time: null })],
  ];
  // In parallel, because each is retried for seconds.
  const errors = cases.map(async ([, ...answers]) => {
    await using server = await serve(block(), ...answers);
    return await readVipSnapshot({ l1RestUrl: server.url, ...wanted }).catch((error: unknown) => error);
  });
  const expected = cases.map(([named]): unknown => {
    const shortMessage: unknown = expect.stringContaining(named);
    return expect.objectContaining({ code: "NODE_BAD_RESPONSE", shortMessage });
  });
  expect(await Promise.all(errors)).toEqual(expected);
});

test("bridges that cannot be read", async () => {
  const row = { key: bridgeKey(true, 7n, 1n), value: bridgeEntry };
  const fields = { init_stage: null, vip_l2_score_contract: 1, vm_type: "evm" };
  const cases: readonly (readonly [named: string, ...answers: readonly Answer[]])[] = [
    ...Object.entries(fields).map(
      ([field, value]) =>
        [
          ` table_entries[0].value.${field} `,
          resource(),
          bridgesPage([{ ...row, value: { ...bridgeEntry, [field]: value } }]),
        ] as const,
    ),
    [
      " table_entries[0].value.end_stage ",
      resource(),
      bridgesPage([{ key: bridgeKey(false, 7n, 1n), value: { ...bridgeEntry, end_stage: 5 } }]),
    ],
    [" table_entries[0].key_bytes ", resource(), bridgesPage([{ ...row, key: "01" }])],
    [" table_entries ", resource(), json({})],
    [" pagination.next_key ", resource(), bridgesPage([row], "AQ==")],
    ["bridges.handle ", resource({ bridges: {} })],
  ];
  // In parallel, because each is retried for seconds.
  const errors = cases.map(async ([, ...answers]) => {
    await using server = await serve(block(), ...answers);
    return await readVipBridges({ l1RestUrl: server.url }).catch((error: unknown) => error);
  });
  const expected = cases.map(([named]): unknown => {
    const shortMessage: unknown = expect.stringContaining(named);
    return expect.objectContaining({ code: "NODE_BAD_RESPONSE", shortMessage });
  });
  expect(await Promise.all(errors)).toEqual(expected);
});

test("what stages were funded with, by the bridge's ID alone", async () => {
  const l1: Answer = (request, response) => {
    const { pathname, searchParams } = new URL(request.path, "http://l1");
    const key = Buffer.from(searchParams.get("key_bytes") ?? "", "base64").toString("hex");
    const entries: Readonly<Record<string, unknown>> = {
      "0xc1 08000000000000000b": { ...stageEntry, user_funded_rewards: { handle: "0xe1", length: "1" } },
      "0xc1 08000000000000000c": { ...stageEntry, user_funded_rewards: { handle: "0xe2", length: "1" } },
      // The keys of these tables are numbers, not bytes in big-endian order.
      "0xe1 0700000000000000": "380000000",
    };
    const value = entries[`${/0x\w+/.exec(pathname)?.[0]} ${key}`];
    const others = pathname.endsWith("/blocks/latest") ? block() : resource();
    const answer = key === "" ? others : value === undefined ? absent : tableEntry(value);
    answer(request, response);
  };
  await using server = await serve(l1);
  const stages = [10n, 11n, 12n];
  expect(await readFundedRewards({ l1RestUrl: server.url, bridgeId: 7n, stages })).toEqual([
    { stage: 11n, users: 380_000_000n },
  ]);
});
