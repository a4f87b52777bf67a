import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { arbitraryCall } from "../arbitraryCalls.ts";
import { openChain, type Chain } from "../chain.ts";
import { modelViews, readViews } from "../compareViews.ts";
import { compileChild, deployCode } from "../deployChild.ts";
import { applyCall, newModel, type Call } from "../model.ts";
import { outcomeOf } from "../outcomeOf.ts";
import { randomChild } from "../randomChild.ts";
import { readStage } from "../readStage.ts";
import { someAddresses } from "../someAddress.ts";

const CHILDREN = fuzzRuns(6);
const SEQUENCES = 16;
const FIRST_STAGE = 3n;

describe("contracts that inherit, with random hooks that write and call back through another contract", () => {
  let chain: Chain;
  const fillers = someAddresses(253, 100);
  const scored = someAddresses(6);
  const ids = [1, 2, 3, 253, 254, 255, 256, 257, 258];

  beforeAll(async () => {
    chain = await openChain();
  });

  it(`do what the model says, ${CHILDREN} of them`, async () => {
    const seed = fuzzSeed();
    const random = seededRandom(seed);
    const universe = {
      callers: [...chain.accounts.slice(0, 1), ...chain.accounts.slice(0, 2)],
      scored,
      ids,
      stages: [FIRST_STAGE, FIRST_STAGE, FIRST_STAGE, FIRST_STAGE, FIRST_STAGE + 1n],
    };
    const call = arbitraryCall(universe).filter(({ name }) => /Score|Stage|register/.test(name));
    let calls = 0;
    let nested = 0;
    for (let n = 0; n < CHILDREN; n++) {
      const { source, hooksOf } = randomChild(random, scored, ids);
      const { Child, Outside } = await compileChild(source);
      const outside = await deployCode(chain, Outside, []);
      const contract = await deployCode(chain, Child, [FIRST_STAGE, outside.address]);
      const setUp: readonly Call[] = [
        { from: chain.accounts[0], name: "addAllowList", args: [outside.address] },
        { from: chain.accounts[0], name: "registerAccounts", args: [fillers] },
      ];
      const hooks = hooksOf(outside.address);
      let start = newModel(chain.accounts[0], FIRST_STAGE);
      for (const one of setUp) {
        await contract.write[one.name](one.args, { account: one.from });
        start = applyCall(start, one, hooks).next;
      }
      const reset = await chain.snapshot();
      const play = async (sequence: readonly Call[]) => {
        await reset();
        let model = start;
        for (const one of sequence) {
          const sent = contract.write[one.name](one.args, { account: one.from });
          const { events, error } = await outcomeOf(chain, contract, sent);
          const { next, expected } = applyCall(model, one, hooks);
          expect(error === undefined ? { events } : { error }).toEqual(expected);
          for (const [number, stage] of model.stages)
            if (stage.isFinalized) expect(next.stages.get(number)).toEqual(stage);
          calls++;
          if (events.filter(({ name }) => name.startsWith("UpdateScore")).length > 1) nested++;
          model = next;
        }
        expect(await readViews(contract, model, scored)).toEqual(modelViews(model, scored));
        for (const number of model.stages.keys()) await readStage(chain, contract, number, "all");
      };
      const sequences = fc.array(call, { minLength: 4, maxLength: 14 });
      await fc.assert(fc.asyncProperty(sequences, play), { numRuns: SEQUENCES, seed }).catch((cause: unknown) => {
        throw new Error(`a contract differs from the model:\n${source}`, { cause });
      });
    }
    console.log(`${calls} calls, ${nested} of them with writes of a hook or of several rows`);
    expect(nested).toBeGreaterThan(CHILDREN);
  });
});
