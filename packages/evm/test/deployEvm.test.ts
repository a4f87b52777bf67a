import { stage } from "@vipscore/core";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testDeploy } from "@vipscore/testkit/adapter/deploy";
import { accountOf } from "@vipscore/testkit/adapter/rows";
import { encodeDeployData } from "viem";
import { describe, expect, test } from "vitest";
import { deployGas } from "../src/deployGas.ts";
import { deployEvm, vipScoreAbi, vipScoreBytecode, type DeployEvmEvent } from "../src/index.ts";
import { evmChains } from "./evmChain.ts";
import { freshAccount } from "./testContract.ts";

const initStage = stage(4n);

describe.each(evmChains)("on $name", ({ start }) => {
  const chain = useChain(start);

  testDeploy(chain);

  test("each step says what it does, and the deployment fits its gas", async () => {
    const rpcUrl = chain().url;
    const events: DeployEvmEvent[] = [];
    const deployed = await deployEvm({
      rpcUrl,
      account: await freshAccount(rpcUrl),
      initStage,
      members: [accountOf(1), accountOf(2)],
      owner: accountOf(2),
      onEvent: (event) => events.push(event),
    });
    expect(deployed.chainId).toBe(31337n);
    // The limit is a bound and not a guess: what is above the gas used is the part that the model rounds up.
    const limit = deployGas(encodeDeployData({ abi: vipScoreAbi, bytecode: vipScoreBytecode, args: [initStage] }));
    expect(Number(limit) / Number(deployed.gasUsed)).toBeLessThan(1.35);
    const step = { step: "deploy", address: deployed.address, hash: deployed.hash };
    expect(events.slice(0, 2)).toEqual([
      { ...step, status: "sending" },
      { ...step, status: "done", gasUsed: deployed.gasUsed },
    ]);
    const steps = events.slice(2).map((event) => `${event.step} ${event.status} ${event.account}`);
    expect(steps).toEqual([
      ...[accountOf(1), accountOf(2)].flatMap((member) => [`addMember sending ${member}`, `addMember done ${member}`]),
      `offerOwnership sending ${accountOf(2)}`,
      `offerOwnership done ${accountOf(2)}`,
    ]);
  });
});
