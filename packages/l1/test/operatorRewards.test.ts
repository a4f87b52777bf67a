import { beforeAll, expect, test } from "vitest";
import { testAccounts } from "@vipscore/localnet";
import { started } from "@vipscore/testkit/started";
import {
  readBridgeShares,
  readFundedRewards,
  readOperatorRewards,
  readVipStage,
  type OperatorRewards,
} from "../src/index.ts";
import { address, decimal, startL1 } from "./startL1.ts";

const [funded, unfunded] = [7n, 8n];
const l1 = started(() => startL1());
beforeAll(async () => {
  // Both begin at stage 2; the first one is alone when that stage is funded.
  await register(funded);
  await l1.call("advance_stage");
});

/** Registers a bridge whose operator keeps a tenth. */
async function register(bridgeId: bigint): Promise<void> {
  const account = address(testAccounts.operator.address);
  const rates = ["0.5", "0.1", "0.1"].map(decimal);
  await l1.govern("register", account, bridgeId, account, "0x1", ...rates, 0n);
}

const read = (bridgeId: bigint, initStage: bigint): Promise<OperatorRewards> =>
  readOperatorRewards({
    l1RestUrl: l1.restUrl,
    vipAddress: l1.vipAddress,
    bridgeId,
    version: 1n,
    initStage,
    endStage: undefined,
  });
const submit = (bridgeId: bigint, stage: bigint): Promise<void> =>
  l1.call("submit_snapshot", bridgeId, 1n, stage, new Uint8Array(32), 1n);
const claim = (bridgeId: bigint): Promise<void> => l1.call("batch_claim_operator_reward_script", bridgeId, 1n);

test("nothing before the first snapshot; then each stage with a snapshot", async () => {
  const nothing: OperatorRewards = {
    rewards: [],
    unfundedStage: undefined,
    removedStage: undefined,
    newest: 1n,
    isClaimable: false,
  };
  expect(await read(funded, 2n)).toEqual(nothing);
  await l1.call("advance_stage");
  await submit(funded, 2n);
  const vesting = { stage: 2n, paid: 0n, due: 0n, endStage: 28n };
  const opened = await read(funded, 2n);
  expect(opened).toMatchObject({
    rewards: [{ ...vesting, isVesting: false }],
    unfundedStage: undefined,
    isClaimable: true,
  });
  expect(opened.rewards[0]?.reward).toBeGreaterThan(0n);
  await claim(funded);
  expect(await read(funded, 2n)).toMatchObject({ rewards: [{ ...vesting, isVesting: true }], isClaimable: false });
});

test("a stage that L1 did not fund: the version cannot be claimed, as L1 says", async () => {
  // The bridge begins at stage 4, which the jump leaves without rewards; stage 5 has some.
  await register(unfunded);
  await l1.call("set_stage", 4n, 0n, 1n);
  await l1.call("advance_stage");
  await l1.call("advance_stage");
  await submit(unfunded, 4n);
  expect(await read(unfunded, 4n)).toMatchObject({ rewards: [], unfundedStage: 4n, isClaimable: false });
  await submit(unfunded, 5n);
  const found = await read(unfunded, 4n);
  expect(found).toMatchObject({ rewards: [{ stage: 5n, isVesting: false }], unfundedStage: 4n, isClaimable: false });
  await expect(claim(unfunded)).rejects.toThrow(/code=393225/);
  // It does not matter to the other bridge before its own snapshot of that stage.
  await submit(funded, 3n);
  expect(await read(funded, 2n)).toMatchObject({ unfundedStage: undefined, isClaimable: true });
  await submit(funded, 4n);
  expect(await read(funded, 2n)).toMatchObject({ unfundedStage: 4n, isClaimable: false });
  await expect(claim(funded)).rejects.toThrow(/code=393225/);
});

test("shares: by weight and by average balance, as L1 funds the next stage; nothing below the minimum", async () => {
  const options = { l1RestUrl: l1.restUrl, vipAddress: l1.vipAddress };
  await l1.govern("update_vip_weight", funded, decimal("0.25"));
  const funding = async (): Promise<readonly bigint[]> => {
    const { rewardPerStage, shares } = await readBridgeShares(options, await readVipStage(options));
    expect(rewardPerStage).toBe(1_000_000_000n);
    await l1.call("advance_stage");
    const { stage } = await readVipStage(options);
    const found = await Promise.all(
      [funded, unfunded].map((bridgeId) => readFundedRewards({ ...options, bridgeId, stages: [stage] })),
    );
    // Users get nine tenths.
    expect(found.map(([reward]) => reward?.users)).toEqual(shares.map(({ pool }) => pool - pool / 10n));
    return shares.map(({ pool }) => pool);
  };
  const [first = 0n, second = 0n] = await funding();
  // Both have the operator's account, so 40 % by balances is divided in halves; 60 % goes by weight.
  expect([first, second]).toEqual([350_000_000n, 200_000_000n]);
  await l1.call("set_parameters", 1n, 26n, 1n, 2n ** 63n);
  expect(await funding()).toEqual([0n, 0n]);
});
