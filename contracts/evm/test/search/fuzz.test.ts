import fc from "fast-check";
import type { Address } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { arbitraryCall } from "../arbitraryCalls.ts";
import { openChain, type Chain, type Contract } from "../chain.ts";
import { applyCall, modelId, newModel, type Model } from "../model.ts";
import { outcomeOf } from "../outcomeOf.ts";
import { someAddress, someAddresses } from "../someAddress.ts";

const SEQUENCES = fuzzRuns(100);
const FIRST_STAGE = 3n;

describe("the contract against the model", () => {
  let chain: Chain;
  let contract: Contract;
  let reset: () => Promise<void>;
  let start: Model;

  beforeAll(async () => {
    chain = await openChain();
    contract = await chain.viem.deployContract("VipScore", [FIRST_STAGE]);
    // New accounts of a sequence get ids on both sides of a boundary of words, buckets and spans.
    const fillers = someAddresses(4_093, 100);
    await contract.write.registerAccounts([fillers]);
    start = newModel(chain.accounts[0], FIRST_STAGE);
    start.accounts.push(...fillers);
    reset = await chain.snapshot();
  });

  it(`does the same in ${SEQUENCES} random sequences of calls`, async () => {
    const scored = [...someAddresses(7), someAddress(100), someAddress(101), someAddress(355), someAddress(356)];
    const universe = {
      callers: chain.accounts.slice(0, 3),
      scored,
      ids: [1, 2, 3, 4, 7, 255, 256, 257, 4093, 4094, 4095, 4096, 4097],
      stages: [
        FIRST_STAGE,
        FIRST_STAGE,
        FIRST_STAGE,
        FIRST_STAGE + 1n,
        FIRST_STAGE + 1n,
        FIRST_STAGE + 2n,
        FIRST_STAGE - 1n,
        0n,
      ],
    };
    const sequence = fc.array(arbitraryCall(universe), { minLength: 1, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(sequence, async (calls) => {
        await reset();
        let model = start;
        for (const call of calls) {
          const sent = contract.write[call.name](call.args, { account: call.from });
          const outcome = await outcomeOf(chain, contract, sent);
          const { next, expected } = applyCall(model, call);
          expect(outcome.error === undefined ? { events: outcome.events } : { error: outcome.error }).toEqual(expected);
          model = next;
        }
        expect(await readAll(contract, model, scored)).toEqual(modelAll(model, scored));
      }),
      { numRuns: SEQUENCES, seed: fuzzSeed() },
    );
  });
});

/** Everything that the views return. */
async function readAll(contract: Contract, model: Model, scored: readonly Address[]): Promise<unknown> {
  const numbers = [FIRST_STAGE - 1n, ...model.stages.keys()];
  const stages = await Promise.all(
    numbers.map(async (number) => ({
      info: await contract.read.stages([number]),
      all: await contract.read.getStage([number]),
      scores: await Promise.all(scored.map(async (addr) => contract.read.scores([number, addr]))),
      from: await contract.read.getScoresFrom([number, 0, 1000n]),
      tail: await contract.read.getScoresFrom([number, 256, 3n]),
      padded: await contract.read.getScores([number, 1n, 20n]),
    })),
  );
  return {
    stages,
    owner: await contract.read.owner(),
    pendingOwner: await contract.read.pendingOwner(),
    finalizer: await contract.read.finalizer(),
    membersCanManage: await contract.read.membersCanManage(),
    members: new Set((await contract.read.getAllowList([0n, 1000n])) as Address[]),
    accountCount: await contract.read.accountCount(),
    ids: await contract.read.idsOf([scored]),
  };
}

/** The same from the model. */
function modelAll(model: Model, scored: readonly Address[]): unknown {
  const numbers = [FIRST_STAGE - 1n, ...model.stages.keys()];
  return {
    stages: numbers.map((number) => {
      const stage = model.stages.get(number);
      const rows = [...(stage?.scores ?? [])]
        .sort(([a], [b]) => a - b)
        .map(([id, amount], i) => ({ id, addr: model.accounts[id - 1], amount, index: BigInt(i + 1) }));
      const ranked = rows.map(({ addr, amount, index }) => ({ addr, amount, index }));
      const byId = rows.map(({ id, addr, amount }) => ({ id, addr, amount }));
      const tail = byId.filter(({ id }) => id >= 256);
      const zero = { addr: `0x${"0".repeat(40)}`, amount: 0n, index: 0n };
      return {
        info: stage ? [number, stage.total, stage.isFinalized] : [0n, 0n, false],
        all: {
          stage: stage ? number : 0n,
          totalScore: stage?.total ?? 0n,
          scoreCount: BigInt(rows.length),
          revision: stage?.revision ?? 0n,
          isFinalized: stage?.isFinalized ?? false,
        },
        scores: scored.map((addr) => {
          const amount = stage?.scores.get(modelId(model, addr));
          return [amount !== undefined, amount ?? 0n];
        }),
        from: [byId, 0],
        tail: [tail.slice(0, 3), tail[3]?.id ?? 0],
        padded: [...ranked.slice(1, 21), ...Array.from({ length: 20 - ranked.slice(1, 21).length }, () => zero)],
      };
    }),
    owner: model.owner,
    pendingOwner: model.pendingOwner,
    finalizer: model.finalizer,
    membersCanManage: model.membersCanManage,
    members: model.members,
    accountCount: model.accounts.length,
    ids: scored.map((addr) => modelId(model, addr)),
  };
}
