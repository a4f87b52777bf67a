import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { arbitraryCall } from "../arbitraryCalls.ts";
import { openChain, type Chain, type Contract } from "../chain.ts";
import { modelViews, readViews } from "../compareViews.ts";
import { applyCall, newModel, type Model } from "../model.ts";
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
        expect(await readViews(contract, model, scored)).toEqual(modelViews(model, scored));
      }),
      { numRuns: SEQUENCES, seed: fuzzSeed() },
    );
  });
});
