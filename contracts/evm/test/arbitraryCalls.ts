import fc from "fast-check";
import { zeroAddress, type Address } from "viem";
import type { Call } from "./model.ts";
import { packGroups } from "./packGroups.ts";

const U64_MAX = 2n ** 64n - 1n;

/** The callers, the scored accounts, and the ids in packed batches. */
export interface CallUniverse {
  readonly callers: readonly Address[];
  readonly scored: readonly Address[];
  readonly ids: readonly number[];
  readonly stages: readonly bigint[];
}

/** Any call of a state-changing function, mostly a sensible one, with values at and around the limits. */
export function arbitraryCall({ callers, scored, ids, stages }: CallUniverse): fc.Arbitrary<Call> {
  const from = fc.oneof(
    { weight: 4, arbitrary: fc.constant(callers[0]) },
    { weight: 1, arbitrary: fc.constantFrom(...callers) },
  );
  const stage = fc.constantFrom(...stages);
  const addr = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...scored) },
    { weight: 1, arbitrary: fc.constant(zeroAddress) },
  );
  const amount = fc.oneof(
    { weight: 6, arbitrary: fc.bigInt(0n, 20n) },
    { weight: 2, arbitrary: fc.bigInt(0n, 2n ** 61n) },
    { weight: 1, arbitrary: fc.constantFrom(0n, 2n ** 53n + 1n, U64_MAX, U64_MAX - 1n) },
  );
  const rows = fc.array(fc.tuple(addr, amount), { maxLength: 10 });
  const packed = fc
    .uniqueArray(fc.tuple(fc.constantFrom(...ids), amount), { selector: ([id]) => id, maxLength: 10 })
    .map((scores) => packGroups(new Map(scores)));
  // Groups of some ids in any order, with any lanes: rarely the one valid form.
  const lanes = fc.bigInt(0n, 15n);
  const group = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...ids.map((id) => BigInt(Math.floor(id / 4)))) },
    { weight: 1, arbitrary: fc.constantFrom(2n ** 30n, 2n ** 60n, 2n ** 252n - 1n) },
  );
  const lane = fc.tuple(fc.constantFrom(0n, 0n, 0n, 1n, 2n, 3n), amount).map(([n, value]) => value << (64n * n));
  const entry = fc.tuple(group, lanes, lane).map(([n, bits, amounts]) => ({ key: 16n * n + bits, amounts }));
  const anyGroups = fc.oneof(
    fc.array(entry, { maxLength: 4 }),
    fc.tuple(packed, entry, fc.nat()).map(([good, bad, at]) => good.toSpliced(at % (good.length + 1), 0, bad)),
  );
  const call = (name: string, ...args: fc.Arbitrary<unknown>[]): fc.Arbitrary<Call> =>
    fc.tuple(from, fc.tuple(...args)).map(([caller, values]) => ({ from: caller, name, args: values }));

  return fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .tuple(from, stage, rows, fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1))
        .map(([caller, number, list, short]) => ({
          from: caller,
          name: "updateScores",
          args: [number, list.map(([a]) => a), list.map(([, n]) => n).slice(short)],
        })),
    },
    { weight: 6, arbitrary: call("updateScoresPacked", stage, packed) },
    { weight: 3, arbitrary: call("updateScoresPacked", stage, anyGroups) },
    { weight: 2, arbitrary: call("updateScore", stage, addr, amount) },
    { weight: 2, arbitrary: call("increaseScore", stage, addr, amount) },
    { weight: 2, arbitrary: call("decreaseScore", stage, addr, amount) },
    { weight: 1, arbitrary: call("registerAccounts", fc.array(addr, { maxLength: 4 })) },
    { weight: 2, arbitrary: call("finalizeStage", stage) },
    { weight: 2, arbitrary: call("finalizeStageChecked", stage, amount, fc.bigInt(0n, 3n), fc.bigInt(0n, 3n)) },
    { weight: 1, arbitrary: call("addAllowList", fc.constantFrom(...callers, zeroAddress)) },
    { weight: 1, arbitrary: call("removeAllowList", fc.constantFrom(...callers)) },
    {
      weight: 1,
      arbitrary: call("setAllowList", fc.array(fc.constantFrom(...callers, callers[0], zeroAddress), { maxLength: 3 })),
    },
    { weight: 1, arbitrary: call("setMembersCanManage", fc.boolean()) },
    { weight: 1, arbitrary: call("setFinalizer", fc.constantFrom(...callers, zeroAddress, zeroAddress)) },
    { weight: 1, arbitrary: call("transferOwnership", fc.constantFrom(...callers, zeroAddress)) },
    { weight: 1, arbitrary: call("acceptOwnership") },
    { weight: 1, arbitrary: call("renounceOwnership") },
  );
}
