import { describe, expect, test } from "vitest";
import type { Account } from "@vipscore/core";
import { verifyProof } from "@vipscore/snapshot";
import { started } from "@vipscore/testkit/started";
import { until } from "@vipscore/testkit/until";
import { createApi } from "../../src/api/createApi.ts";
import type { Store } from "../../src/store/openStore.ts";
import { databases, openNew } from "../store/databases.ts";
import { bridgeId, startClaimsL1, storeStage, type ScoredRows } from "./claimsOnL1.ts";

interface Claims {
  readonly registrations: readonly {
    readonly stages: readonly {
      readonly stage: string;
      readonly status: string;
      readonly score: string | null;
      readonly proof: readonly string[];
    }[];
    readonly claim: { readonly stages: readonly string[]; readonly opens: string } | null;
    readonly waits_for: string | null;
  }[];
}

const accountOf = (number: number): Account => `0x${number.toString(16).padStart(40, "0")}` as Account;
/** Account 1 has no score in stage 2, and account 300 in no stage. */
const rowsOf = (stage: bigint): ScoredRows =>
  Array.from({ length: 200 }, (_, at) => [accountOf(at + 1), BigInt(at) * stage] as const);
const totalOf = (rows: ScoredRows): bigint => rows.reduce((sum, [, score]) => sum + score, 0n);

const l1 = started(startClaimsL1);
const contract = { vm: "evm", chainId: "31337", address: "0x8E88A58b6912513002Ec36023CBCe51106ee3573" } as const;

/** Opens an API with what L1 says now. */
async function serve(store: Store) {
  const watch = l1.watch(store);
  await watch.read(undefined);
  const errors: unknown[] = [];
  const api = createApi({ store, l1: watch, onError: (error) => errors.push(error) });
  const claims = async (account: Account) => {
    const answer = await api.request(`/scores/v1/accounts/${account}/claims`);
    expect(answer.status).toBe(200);
    const [registration] = ((await answer.json()) as Claims).registrations;
    if (registration === undefined) throw new Error("L1 has no registration");
    const { stages, claim, waits_for: waitsFor } = registration;
    return { statuses: stages.map(({ stage, status }) => `${stage} ${status}`), stages, claim, waitsFor };
  };
  return { api, claims, errors };
}

/** Waits until a stage can be claimed: L1's clock counts whole seconds. */
const untilOpen = (store: Store, stage: bigint): Promise<true> =>
  until(`stage ${stage} to be open`, async () => {
    const { statuses } = await (await serve(store)).claims(accountOf(9));
    return statuses.includes(`${stage} open`) ? true : undefined;
  });

describe("the claims of a registration", () => {
  test.each(databases)("are proved from %s", async (name, create) => {
    const store = await openNew(create);
    await store.scores.begin(contract, bridgeId);
    expect((await (await serve(store)).claims(accountOf(9))).claim).toBeNull();
    if (name === databases[0]?.[0]) for (const stage of [2n, 3n]) await l1.endStage(stage, rowsOf(stage));
    // Not stored yet.
    expect(await (await serve(store)).claims(accountOf(9))).toMatchObject({
      statuses: ["3 unknown", "2 unknown"],
      claim: null,
      waitsFor: expect.stringMatching(/\bstage 2\b/) as string,
    });
    await storeStage(store, 2n, rowsOf(2n));
    await untilOpen(store, 2n);
    expect(await (await serve(store)).claims(accountOf(9))).toMatchObject({
      statuses: ["3 unknown", "2 open"],
      claim: { stages: ["2"] },
      waitsFor: expect.stringMatching(/\bstage 3\b/) as string,
    });
    await storeStage(store, 3n, rowsOf(3n));
    await untilOpen(store, 3n);
    const { api, claims, errors } = await serve(store);
    for (let account = 2; account < 200; account += 13) {
      const { stages, claim, waitsFor } = await claims(accountOf(account));
      expect([claim?.stages, waitsFor]).toEqual([["2", "3"], null]);
      for (const { stage, score, proof } of stages) {
        const root = ((await (await api.request(`/scores/v1/stages/${stage}`)).json()) as { root: string }).root;
        const row = { stage: BigInt(stage), account: accountOf(account), score: BigInt(score ?? -1) };
        expect(row.score).toBe(BigInt(account - 1) * BigInt(stage));
        expect(verifyProof({ ...row, bridgeId, total: totalOf(rowsOf(BigInt(stage))), proof, root })).toBe(true);
      }
    }
    expect(await claims(accountOf(300))).toMatchObject({ claim: null, waitsFor: null });
    // The trees of another bridge are no trees of this one.
    await store.scores.begin(contract, bridgeId + 1n);
    expect(await (await api.request("/scores/v1/stages/2")).json()).toMatchObject({
      root: null,
      l1: { matches: null },
    });
    expect(await claims(accountOf(9))).toMatchObject({ statuses: ["3 unknown", "2 unknown"], claim: null });
    expect(errors).toEqual([]);
  });

  test("end before a stage in its challenge period, without a snapshot, or with another one", async () => {
    const store = await openNew(databases[0]?.[1] ?? expect.unreachable());
    await store.scores.begin(contract, bridgeId);
    for (const stage of [2n, 3n, 4n, 5n]) await storeStage(store, stage, rowsOf(stage));
    await l1.endStage(4n, rowsOf(4n), "ab".repeat(32));
    expect(await (await serve(store)).claims(accountOf(9))).toMatchObject({
      statuses: ["4 differs", "3 open", "2 open"],
      claim: { stages: ["2", "3"] },
      waitsFor: expect.stringMatching(/\bstage 4\b/) as string,
    });
    await l1.setChallengePeriod(86_400n);
    expect(await (await serve(store)).claims(accountOf(9))).toMatchObject({
      statuses: ["4 differs", "3 challengeable", "2 challengeable"],
      claim: null,
      waitsFor: expect.stringMatching(/\bstage 2\b.*\bchallenge period\b/) as string,
    });
    await l1.remove(3n);
    await l1.setChallengePeriod(0n);
    await untilOpen(store, 2n);
    expect(await (await serve(store)).claims(accountOf(9))).toMatchObject({
      statuses: ["4 differs", "2 open"],
      claim: { stages: ["2"] },
      waitsFor: expect.stringMatching(/\bstage 3\b.*\bchallenge removed\b/) as string,
    });
  });

  test("are not served without L1, nor from a tree that does not prove them", async () => {
    const store = await openNew(databases[0]?.[1] ?? expect.unreachable());
    await store.scores.begin(contract, bridgeId);
    const path = `/scores/v1/accounts/${accountOf(9)}/claims`;
    const without = await createApi({ store }).request(path);
    expect([without.status, await without.text()]).toEqual([404, "claims not found"]);
    await storeStage(store, 2n, rowsOf(2n));
    const { scores } = store;
    // A damaged database.
    const openTree: typeof scores.openTree = (stage) => {
      const tree = scores.openTree(stage);
      return { ...tree, read: async () => new Uint8Array(32) };
    };
    const { api, errors } = await serve({ ...store, scores: { ...scores, openTree } });
    expect((await api.request(path)).status).toBe(503);
    expect(errors).toMatchObject([{ code: "DATABASE_INVALID" }]);
  });
});
