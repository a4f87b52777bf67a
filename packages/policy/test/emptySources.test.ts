import { pad, toEventSelector } from "viem";
import { beforeAll, describe, expect, test } from "vitest";
import { deployEmitter, type Emitter } from "@vipscore/testkit/eventEmitter";
import { playHardhat } from "@vipscore/testkit/playHardhat";
import { collectSource } from "./collectSource.ts";
import { alice, bob, openPolicyFolder, pointsPolicy } from "./policyFolder.ts";

/** Sources that select nothing, or not all that their author means. */

const uint = (value: bigint) => pad(`0x${value.toString(16)}`);
const played = toEventSelector("Played(address,uint256)");

const chain = playHardhat();
let game: Emitter;
/** Its events have the parameters that an upgrade made indexed. */
let upgraded: Emitter;
let window: readonly [first: number, last: number];

beforeAll(async () => {
  const request = (method: string, params: readonly unknown[]) => chain.request({ method, params });
  [game, upgraded] = [await deployEmitter(request, 2), await deployEmitter(request, 4)];
  const first = await game.emit(played, pad(alice), uint(5n));
  await game.emit(played, pad(bob), uint(7n));
  await upgraded.emit(toEventSelector("Moved(address,address,uint256)"), pad(alice), pad(bob), uint(1n));
  window = [
    first,
    await upgraded.emit(toEventSelector("Moved(address,address,uint256)"), pad(bob), pad(alice), uint(2n)),
  ];
});

function collect(event: string | readonly string[], contracts: readonly string[] = [game.address], more = "") {
  const source = `kind = "evm_events"\ncontracts = ${JSON.stringify(contracts)}\nevent = ${JSON.stringify(event)}\n${more}`;
  return collectSource({ vm: "evm", rpcUrl: chain.url, chainId: "31337" }, source, { blocks: window });
}

const right = "event Played(address indexed who, uint256 points)";

describe("a source of events is refused if it has", () => {
  test.each([
    ["a misspelt event", "event Playd(address indexed who, uint256 points)"],
    ["a parameter of another type", "event Played(address indexed who, uint128 points)"],
    ["a contract without code", right, [`0x${"00".repeat(19)}ff`]],
  ])("%s, unless it may be empty", async (_, event, contracts = [game.address]) => {
    await expect(collect(event, contracts)).rejects.toMatchObject({
      code: "SOURCE_EMPTY",
      shortMessage: expect.stringMatching(/\bfound\b/) as unknown,
      metaMessages: expect.arrayContaining([expect.stringContaining("may_be_empty = true")]) as unknown,
    });
    expect((await collect(event, contracts, "may_be_empty = true")).rows).toEqual([]);
    await expect(collect(event, contracts, "may_be_empty = false")).rejects.toMatchObject({
      code: "SOURCE_EMPTY",
    });
  });

  test.each([
    ["fewer indexed parameters", "event Played(address who, uint256 points)"],
    ["more indexed parameters", "event Played(address indexed who, uint256 indexed points)"],
  ])("an event with %s, and shows both shapes", async (_, event) => {
    await expect(collect(event, [game.address], "may_be_empty = true")).rejects.toMatchObject({
      code: "SOURCE_INVALID",
      shortMessage: expect.stringMatching(/^found: event 0 of transaction 0x[0-9a-f]{64} in block \d+ /) as unknown,
      metaMessages: expect.arrayContaining([
        "It has 1 indexed parameter and 32 bytes of data.",
        expect.stringContaining(`${event}: `),
      ]) as unknown,
    });
  });

  test.each([
    ["too few", [pad(alice)]],
    ["too many", [pad(alice), uint(1n), uint(2n)]],
  ])("logs with %s data", async (_, words) => {
    const other = await deployEmitter((method, params) => chain.request({ method, params }), 2);
    const height = await other.emit(played, ...words);
    const source = `kind = "evm_events"\ncontracts = ["${other.address}"]\nevent = "${right}"`;
    const node = { vm: "evm", rpcUrl: chain.url, chainId: "31337" } as const;
    await expect(collectSource(node, source, { blocks: [height, height] })).rejects.toMatchObject({
      code: "SOURCE_INVALID",
    });
  });
});

test("a source reads every shape of an event that it names, whatever their order of parameters", async () => {
  const shapes = [
    "event Moved(address indexed who, address to, uint256 points)",
    "event Moved(address indexed who, address indexed to, uint256 indexed points)",
    "event Swapped(uint256 points, address who, address indexed to)",
  ];
  const height = await game.emit(toEventSelector("Swapped(uint256,address,address)"), pad(alice), uint(9n), pad(bob));
  const source = `kind = "evm_events"\ncontracts = ["${game.address}", "${upgraded.address}"]\nevent = ${JSON.stringify(shapes)}`;
  const node = { vm: "evm", rpcUrl: chain.url, chainId: "31337" } as const;
  const { records } = await collectSource(node, source, { blocks: [window[0], height] });
  expect(records).toMatchObject([
    { who: alice, to: bob, points: 1n },
    { who: bob, to: alice, points: 2n },
    { who: bob, to: alice, points: 9n },
  ]);
});

test.each([
  ["no event", []],
  ["other parameters", [right, "event Played(address indexed who, uint256 points, bool won)"]],
  ["another type of column", [right, "event Played(address indexed who, bool points)"]],
  ["the hash of a text that the first has", ["event A(string note)", "event A(string indexed note)"]],
  [
    "logs that look the same",
    ["event A(address indexed one, address other)", "event A(address one, address indexed other)"],
  ],
])("a list of shapes with %s is refused", async (_, shapes) => {
  await expect(collect(shapes)).rejects.toMatchObject({ code: "POLICY_INVALID" });
});

test.each([
  ["transactions", 'kind = "transactions"\ncontracts = ["GAME"]'],
  ["balances that are all zero", 'kind = "balances"\naccounts = "accounts.csv"'],
])("%s are refused without a row, unless they may be empty", async (_, source) => {
  const node = { vm: "evm", rpcUrl: chain.url, chainId: "31337" } as const;
  const quiet = await deployEmitter((method, params) => chain.request({ method, params }), 2);
  const mined = Number(await chain.request({ method: "eth_blockNumber", params: [] }));
  await chain.request({ method: "hardhat_mine", params: ["0x3"] });
  const options = {
    blocks: [mined + 1, mined + 2] as const,
    files: { "accounts.csv": `address\n0x${"12".repeat(20)}\n` },
  };
  const text = source.replace("GAME", quiet.address);
  await expect(collectSource(node, text, options)).rejects.toMatchObject({ code: "SOURCE_EMPTY" });
  await expect(collectSource(node, `${text}\nmay_be_empty = true`, options)).resolves.toBeDefined();
});

test("a file without rows is refused, unless it may be empty", async () => {
  const files = { "points.csv": "address,points\n" };
  await using folder = await openPolicyFolder(files);
  await expect(folder.run()).rejects.toMatchObject({ code: "SOURCE_EMPTY" });
  await folder.write({ "policy.toml": `${pointsPolicy["policy.toml"]}may_be_empty = true\n` });
  expect((await folder.run()).table.size).toBe(0);
  await folder.write({ "policy.toml": `${pointsPolicy["policy.toml"]}may_be_empty = "yes"\n` });
  await expect(folder.run()).rejects.toMatchObject({ code: "POLICY_INVALID" });
});
