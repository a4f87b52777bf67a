import type { Address } from "viem";
import type { Contract } from "./chain.ts";
import { modelId, type Model } from "./model.ts";

/** Everything that the views return of the stages of a model, and of the one before. */
export async function readViews(contract: Contract, model: Model, scored: readonly Address[]): Promise<unknown> {
  const numbers = numbersOf(model);
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
export function modelViews(model: Model, scored: readonly Address[]): unknown {
  const numbers = numbersOf(model);
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

function numbersOf({ stages }: Model): readonly bigint[] {
  const numbers = [...stages.keys()];
  return [numbers[0] - 1n, ...numbers];
}
