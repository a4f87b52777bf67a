import { describe, expect, test } from "vitest";
import {
  allFaultKinds,
  chooseBySeed,
  drawProfile,
  traitsOf,
  type FaultKind,
  type FaultProfile,
} from "./faultChoice.ts";
import type { ClassifiedRequest, RequestRole } from "./nodeProtocol.ts";

const everyTime: FaultProfile = { kinds: allFaultKinds, percent: { broadcast: 100, lookUp: 100, read: 100 } };
const roles: readonly RequestRole[] = ["broadcast", "lookUp", "read"];

function requestsOf(title: string, role: RequestRole, count: number): readonly ClassifiedRequest[] {
  return Array.from({ length: count }, () => ({ role, title, hashes: [] }));
}

function kindsOf(seed: number, profile: FaultProfile, requests: readonly ClassifiedRequest[]) {
  return requests.map(chooseBySeed(seed, profile)).map((fault) => fault?.kind);
}

describe("the choice of faults", () => {
  test("the same seed gives the same faults, another seed different faults", () => {
    const requests = roles.flatMap((role) => requestsOf(role, role, 100));
    expect(kindsOf(7, everyTime, requests)).toEqual(kindsOf(7, everyTime, requests));
    expect(kindsOf(8, everyTime, requests)).not.toEqual(kindsOf(7, everyTime, requests));
  });

  test("more requests of one kind do not change the faults of the others", () => {
    const profile: FaultProfile = { ...everyTime, kinds: ["delay", "reset", "webPage"] };
    const broadcasts = requestsOf("send", "broadcast", 20);
    const among = broadcasts.flatMap((request) => [...requestsOf("poll", "lookUp", 3), request]);
    const chosen = kindsOf(7, profile, among).filter((_, index) => index % 4 === 3);
    expect(chosen).toEqual(kindsOf(7, profile, broadcasts));
  });

  test.each(roles)("a %s gets only faults that can hit it, each within its limit per run", (role) => {
    const counts = new Map<FaultKind, number>();
    for (const kind of kindsOf(1, everyTime, requestsOf(role, role, 900))) {
      if (kind !== undefined) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    for (const kind of allFaultKinds) {
      const { roles: hit, maxPerRun } = traitsOf(kind);
      const count = counts.get(kind) ?? 0;
      expect(count).toBeLessThanOrEqual(maxPerRun);
      if (hit.includes(role)) expect(count).toBeGreaterThan(0);
      else expect(count).toBe(0);
    }
  });

  test("profiles: one seed, one profile; the base fee jumps only on EVM; every fault comes up", () => {
    const seeds = Array.from({ length: 100 }, (_, seed) => seed);
    for (const vm of ["evm", "move", "wasm"] as const) {
      const drawn = new Set(seeds.flatMap((seed) => drawProfile(seed, vm).kinds));
      const possible = allFaultKinds.filter((kind) => vm === "evm" || kind !== "baseFeeJump");
      expect([...drawn].sort()).toEqual([...possible].sort());
    }
    expect(drawProfile(5, "evm")).toEqual(drawProfile(5, "evm"));
  });
});
