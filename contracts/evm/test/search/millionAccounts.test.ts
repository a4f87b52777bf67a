import { encodeFunctionData, parseAbi, type Hex } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { openChain } from "../chain.ts";
import { someAddress } from "../someAddress.ts";
import { accountCountSlot, stageSlot } from "../storageSlots.ts";
import { storageWriter, storeStage } from "../storedStage.ts";

const PAGE = 1_000;
/** The lowest gas limit of a node for calls: minievm caps estimates at this. */
const CALL_GAS = 10_000_000n;
const abi = parseAbi(["function getScores(uint64, uint64, uint64)", "function getScoresFrom(uint64, uint32, uint64)"]);

interface Row {
  readonly addr: Hex;
  readonly amount: bigint;
  readonly index: bigint;
}

interface IdRow {
  readonly id: number;
}

/** A contract with this number of accounts, and the gas of calls of its views. */
async function openContract(accounts: number) {
  const chain = await openChain();
  const contract = await chain.viem.deployContract("VipScore", [1n]);
  const put = storageWriter(chain, contract);
  await put(accountCountSlot(), BigInt(accounts));
  const gasOf = async (what: string, data: Hex) => {
    const gas = await chain.reader.estimateGas({ to: contract.address, data });
    console.log(`${what}: ${gas} gas`);
    return gas;
  };
  return { contract, put, gasOf };
}

describe("a stage of a million accounts", () => {
  const ACCOUNTS = 1_000_000;
  const ids = Array.from({ length: ACCOUNTS }, (_, i) => i + 1);
  let opened: Awaited<ReturnType<typeof openContract>>;

  beforeAll(async () => {
    opened = await openContract(ACCOUNTS);
    await storeStage(opened.put, 1n, ids, (id) => id >= ACCOUNTS - PAGE);
  });

  it("is read at its far end by offset within 10,000,000 gas", async () => {
    const args = [1n, BigInt(ACCOUNTS - PAGE), BigInt(PAGE)] as const;
    const rows = (await opened.contract.read.getScores(args)) as Row[];
    expect([rows.length, rows[0], rows[PAGE - 1]]).toEqual([
      PAGE,
      { addr: someAddress(ACCOUNTS - PAGE + 1), amount: 7n, index: BigInt(ACCOUNTS - PAGE + 1) },
      { addr: someAddress(ACCOUNTS), amount: 7n, index: BigInt(ACCOUNTS) },
    ]);
    const data = encodeFunctionData({ abi, functionName: "getScores", args });
    expect(await opened.gasOf(`getScores, last ${PAGE} of ${ACCOUNTS}`, data)).toBeLessThan(CALL_GAS);
  });

  it("is read at its far end by id at the cost of any page", async () => {
    const args = [1n, ACCOUNTS - PAGE + 1, BigInt(PAGE)] as const;
    const [rows, nextId] = (await opened.contract.read.getScoresFrom(args)) as [IdRow[], number];
    expect([rows.length, nextId]).toEqual([PAGE, 0]);
    const data = encodeFunctionData({ abi, functionName: "getScoresFrom", args });
    expect(await opened.gasOf(`getScoresFrom, last ${PAGE} of ${ACCOUNTS}`, data)).toBeLessThan(5_000_000n);
  });

  it("costs at most 10,000,000 gas if no two rows share a word", async () => {
    const isolated = Array.from({ length: PAGE }, (_, i) => 1 + (i * ACCOUNTS) / PAGE);
    await storeStage(opened.put, 3n, isolated, () => true);
    const args = [3n, 0, BigInt(PAGE)] as const;
    const [rows, nextId] = (await opened.contract.read.getScoresFrom(args)) as [IdRow[], number];
    expect([rows.map(({ id }) => id), nextId]).toEqual([isolated, 0]);
    const data = encodeFunctionData({ abi, functionName: "getScoresFrom", args });
    expect(await opened.gasOf(`getScoresFrom, ${PAGE} isolated of ${ACCOUNTS}`, data)).toBeLessThan(CALL_GAS);
  });
});

describe("a contract of twenty million accounts", () => {
  const ACCOUNTS = 20_000_000;

  it.each([
    ["an empty stage", 2n, []],
    ["a stage of one row", 3n, [1]],
  ] as const)("costs a reader of %s no more than a small one", async (what, stage, ids) => {
    const { contract, put, gasOf } = await openContract(ACCOUNTS);
    await put(stageSlot(stage), stage);
    if (ids.length > 0) await storeStage(put, stage, ids, () => true);
    const [rows, nextId] = (await contract.read.getScoresFrom([stage, 0, BigInt(PAGE)])) as [IdRow[], number];
    expect([rows.map(({ id }) => id), nextId]).toEqual([ids, 0]);
    const data = encodeFunctionData({ abi, functionName: "getScoresFrom", args: [stage, 0, BigInt(PAGE)] });
    expect(await gasOf(`getScoresFrom, ${what} of ${ACCOUNTS} accounts`, data)).toBeLessThan(50_000n);
  });
});

describe("a stage of five million accounts", () => {
  const ACCOUNTS = 5_000_000;
  const SCORED = ACCOUNTS / 250;
  let opened: Awaited<ReturnType<typeof openContract>>;

  beforeAll(async () => {
    opened = await openContract(ACCOUNTS);
  });

  const gasOfPage = (functionName: "getScores" | "getScoresFrom", stage: bigint, from: number, rows: number) => {
    const args = [stage, from, BigInt(rows)] as const;
    const data =
      functionName === "getScores"
        ? encodeFunctionData({ abi, functionName, args: [stage, BigInt(from), args[2]] })
        : encodeFunctionData({ abi, functionName, args });
    return opened.gasOf(`${functionName}, ${rows} of stage ${stage} from ${from}`, data);
  };

  it("is read at its far end by offset within 10,000,000 gas if it is full", async () => {
    const ids = Array.from({ length: ACCOUNTS }, (_, i) => i + 1);
    await storeStage(opened.put, 7n, ids, (id) => id > ACCOUNTS - PAGE);
    expect(await gasOfPage("getScores", 7n, ACCOUNTS - PAGE, PAGE)).toBeLessThan(CALL_GAS);
  });

  /** Ids spread over all accounts, each in a separate bucket or at random. */
  const spread = () => Array.from({ length: SCORED }, (_, i) => 250 * i + 1);
  const scattered = () => {
    const random = seededRandom(15);
    const ids = new Set<number>();
    while (ids.size < SCORED) ids.add(1 + random.below(ACCOUNTS));
    return [...ids].sort((a, b) => a - b);
  };

  it.each([
    ["evenly spread", 4n, spread],
    ["scattered", 5n, scattered],
  ] as const)(
    "is read at its far end if 0.4 % of it have a score, %s: by offset half a page at a time",
    async (_, stage, choose) => {
      const ids = choose();
      const first = ids[SCORED - PAGE];
      await storeStage(opened.put, stage, ids, (id) => id >= first - 4096);
      const rows = (await opened.contract.read.getScores([stage, BigInt(SCORED - PAGE), BigInt(PAGE)])) as Row[];
      expect(rows.map(({ addr }) => addr)).toEqual(ids.slice(-PAGE).map((id) => someAddress(id)));
      const [byId, nextId] = (await opened.contract.read.getScoresFrom([stage, first, BigInt(PAGE)])) as [
        IdRow[],
        number,
      ];
      expect([byId.map(({ id }) => id), nextId]).toEqual([ids.slice(-PAGE), 0]);
      expect(await gasOfPage("getScores", stage, SCORED - PAGE / 2, PAGE / 2)).toBeLessThan(CALL_GAS);
      expect(await gasOfPage("getScoresFrom", stage, first, PAGE)).toBeLessThan(CALL_GAS);
    },
  );

  it("is read within 10,000,000 gas half a page at a time if rows are far apart, or none follow", async () => {
    await storeStage(opened.put, 6n, spread().slice(0, PAGE / 2), () => true);
    expect(await gasOfPage("getScoresFrom", 6n, 0, PAGE / 2)).toBeLessThan(CALL_GAS);
    const isolated = Array.from({ length: PAGE }, (_, i) => 1 + 4096 * i);
    await storeStage(opened.put, 8n, isolated, () => true);
    expect(await gasOfPage("getScoresFrom", 8n, 0, PAGE)).toBeGreaterThan(CALL_GAS);
    expect(await gasOfPage("getScoresFrom", 8n, 0, PAGE / 2)).toBeLessThan(CALL_GAS);
  });
});
