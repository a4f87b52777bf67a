import fc from "fast-check";
import { concat, pad, size, slice, toHex, zeroAddress, type Address, type Hex } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { arbitraryCall } from "./arbitraryCalls.ts";
import { openChain, someAddresses, type Chain, type Contract } from "./chain.ts";
import { groupSlot, inBucketsSlot, inSpansSlot, presentSlot, stageSlot } from "./storageSlots.ts";

const SEQUENCES = fuzzRuns(40);
const FIRST_STAGE = 3n;
const ACCOUNTS = 4_093;
const U64 = 2n ** 64n - 1n;
/** The groups of all ids in calls, and their neighbors. */
const GROUPS = [0, 1, 2, 62, 63, 64, 65, 1022, 1023, 1024, 1025, 1026, 1027];

/** A change of calldata: anything from a dirty bit to a truncated call. */
const damage: fc.Arbitrary<(data: Hex) => Hex> = fc.oneof(
  fc.tuple(fc.nat(), fc.constantFrom(0n, 1n, 32n, 64n, 96n, 1n << 64n, 1n << 160n, 1n << 255n, 2n ** 256n - 1n)).map(
    ([at, word]) =>
      (data: Hex) =>
        replaceWord(data, at, () => word),
  ),
  fc.tuple(fc.nat(), fc.nat(255)).map(
    ([at, bit]) =>
      (data: Hex) =>
        replaceWord(data, at, (word) => word ^ (1n << BigInt(bit))),
  ),
  fc.nat().map((at) => (data: Hex) => slice(data, 0, 4 + (at % (size(data) - 3)))),
  fc.nat(64).map((bytes) => (data: Hex) => concat([data, pad("0x01", { size: bytes + 1 })])),
);

function replaceWord(data: Hex, at: number, change: (word: bigint) => bigint): Hex {
  const words = Math.floor((size(data) - 4) / 32);
  if (words === 0) return data;
  const start = 4 + 32 * (at % words);
  const word = toHex(change(BigInt(slice(data, start, start + 32))), { size: 32 });
  const rest: Hex = start + 32 < size(data) ? slice(data, start + 32) : "0x";
  return concat([slice(data, 0, start), word, rest]);
}

interface StoredStage {
  readonly number: bigint;
  readonly revision: bigint;
  readonly isFinalized: boolean;
  /** The words of the stage and of its scores and bits. */
  readonly words: readonly bigint[];
}

interface Roles {
  readonly owner: Address;
  readonly pendingOwner: Address;
  readonly finalizer: Address;
  readonly members: readonly Address[];
}

describe("the invariants", () => {
  let chain: Chain;
  let contract: Contract;
  let reset: () => Promise<void>;
  const scored = someAddresses(8);

  beforeAll(async () => {
    chain = await openChain();
    contract = await chain.deploy("VipScore", [FIRST_STAGE]);
    await contract.send(chain.accounts[0]!, "registerAccounts", [someAddresses(ACCOUNTS, 100)]);
    reset = await chain.snapshot();
  });

  const read = async (slot: Hex) =>
    BigInt((await chain.request("eth_getStorageAt", [contract.address, slot, "latest"])) as Hex);

  /** All stages, after checking the words of each against one another. */
  async function readStages(): Promise<readonly StoredStage[]> {
    const stages: StoredStage[] = [];
    for (let number = FIRST_STAGE; ; number++) {
      const info = await read(stageSlot(number));
      if (info === 0n) return stages;
      const [spans, buckets, present, groups] = await Promise.all([
        Promise.all([0, 1].map(async (block) => read(inSpansSlot(number, block)))),
        Promise.all([0, 1].map(async (span) => read(inBucketsSlot(number, span)))),
        Promise.all(Array.from({ length: 18 }, async (_, bucket) => read(presentSlot(number, bucket)))),
        Promise.all(GROUPS.map(async (group) => read(groupSlot(number, group)))),
      ]);
      const accounts = await contract.read<number>("accountCount");
      const bits = present.map((word) => BigInt(word.toString(2).replaceAll("0", "").length));
      const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);
      const lanes = (word: bigint, width: bigint) =>
        Array.from({ length: Number(256n / width) }, (_, i) => (word >> (width * BigInt(i))) % (1n << width));
      expect(lanes(info, 64n).slice(0, 2)).toEqual([number, sum(groups.flatMap((word) => lanes(word, 64n)))]);
      expect((info >> 192n) & (2n ** 32n - 1n)).toBe(sum(bits));
      expect(buckets.flatMap((word) => lanes(word, 16n))).toEqual([...bits, ...Array.from({ length: 14 }, () => 0n)]);
      expect(spans[0]).toBe(sum(bits.slice(0, 16)) | (sum(bits.slice(16)) << 32n));
      expect([
        spans[1],
        present[0]! % 2n,
        present[16]! >> BigInt(accounts + 1 - 4096 > 0 ? accounts + 1 - 4096 : 0),
      ]).toEqual([0n, 0n, 0n]);
      GROUPS.forEach((group, i) => {
        lanes(groups[i]!, 64n).forEach((amount, lane) => {
          const id = 4 * group + lane;
          const isPresent = (present[Math.floor(id / 256)]! >> BigInt(id % 256)) % 2n === 1n;
          if (amount !== 0n) expect([id, isPresent]).toEqual([id, true]);
        });
      });
      stages.push({
        number,
        revision: (info >> 128n) & U64,
        isFinalized: info >> 224n !== 0n,
        words: [info, ...present, ...groups],
      });
    }
  }

  async function readRoles(): Promise<Roles> {
    const [owner, pendingOwner, finalizer, members] = await Promise.all([
      contract.read<Address>("owner"),
      contract.read<Address>("pendingOwner"),
      contract.read<Address>("finalizer"),
      contract.read<Address[]>("allowListMembers"),
    ]);
    expect(owner).not.toBe(zeroAddress);
    expect(members.length).toBeGreaterThan(0);
    expect(members).not.toContain(zeroAddress);
    return { owner, pendingOwner, finalizer, members };
  }

  it(`hold after each call of ${SEQUENCES} random sequences, damaged calldata included`, async () => {
    const universe = {
      callers: chain.accounts.slice(0, 4),
      scored,
      ids: [1, 2, 3, 4, 7, 252, 255, 256, 257, 4093, 4094, 4095, 4096, 4097],
      stages: [FIRST_STAGE, FIRST_STAGE, FIRST_STAGE, FIRST_STAGE + 1n, FIRST_STAGE + 2n],
    };
    const step = fc.tuple(arbitraryCall(universe), fc.option(damage, { nil: undefined }));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        await reset();
        let before = { stages: await readStages(), roles: await readRoles() };
        for (const [call, harm] of steps) {
          const data = contract.encode(call.name, call.args);
          const { error } = await contract.sendData(call.from, harm === undefined ? data : harm(data));
          // Every revert has a name, except for calldata that Solidity cannot decode.
          expect(error?.name).not.toBe("Panic");
          const after = { stages: await readStages(), roles: await readRoles() };
          if (error !== undefined) expect(after).toEqual(before);
          checkStages(before.stages, after.stages);
          const { owner, pendingOwner, finalizer, members } = before.roles;
          if (![owner, pendingOwner, finalizer, ...members].includes(call.from)) expect(after).toEqual(before);
          if (call.from !== owner && call.from !== pendingOwner)
            expect([after.roles.owner, after.roles.finalizer]).toEqual([owner, finalizer]);
          const finalized = ({ stages }: typeof before) => stages.filter(({ isFinalized }) => isFinalized).length;
          if (finalizer !== zeroAddress && call.from !== finalizer) expect(finalized(after)).toBe(finalized(before));
          before = after;
        }
      }),
      { numRuns: SEQUENCES, seed: fuzzSeed() },
    );
  });
});

/** The changes to stages that one call may make. */
function checkStages(before: readonly StoredStage[], after: readonly StoredStage[]): void {
  expect(after.map(({ isFinalized }) => isFinalized)).toEqual(after.map((_, i) => i < after.length - 1));
  expect(after.length - before.length).toBeLessThanOrEqual(1);
  before.forEach((stage, i) => {
    const next = after[i]!;
    if (stage.isFinalized) expect(next).toEqual(stage);
    const [, ...rows] = stage.words;
    const [, ...nextRows] = next.words;
    const hasChanged = rows.some((word, n) => word !== nextRows[n]);
    expect([0n, 1n]).toContain(next.revision - stage.revision);
    if (hasChanged) expect(next.revision).toBe(stage.revision + 1n);
  });
}
