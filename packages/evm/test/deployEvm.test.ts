import { featuresOf, stage, u64Max } from "@vipscore/core";
import { openJsonRpc } from "@vipscore/core/wire";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { createPublicClient, encodeDeployData, encodeFunctionData, http } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deployGas } from "../src/deployGas.ts";
import { connectEvm, deployEvm, vipScoreAbi, vipScoreBytecode, type DeployEvent } from "../src/index.ts";
import { readGasFees } from "../src/fees.ts";
import { signTransaction } from "../src/signTransaction.ts";
import { toAccount } from "../src/toAccount.ts";
import { testChains, type RunningChain } from "./testChains.ts";
import { accountOf, deployer, operator, readRows, rowsOf, settle, writeRows } from "./testContract.ts";

const initStage = stage(4n);
const deployerAccount = toAccount(deployer.address);
const operatorAccount = toAccount(operator.address);

describe.each(testChains)("on $name", ({ start, traits }) => {
  let chain: RunningChain;
  beforeAll(async () => {
    chain = await start();
  });
  afterAll(() => chain.stop());

  test("a contract with its first stage, its deployer as owner and only member", async () => {
    const { rpcUrl } = chain;
    const events: DeployEvent[] = [];
    const onEvent = (event: DeployEvent) => events.push(event);
    const deployed = await deployEvm({ rpcUrl, account: deployer, initStage, onEvent, expectedChainId: 31337n });
    expect(deployed).toMatchObject({
      chainId: 31337n,
      initStage: 4n,
      members: [deployerAccount],
      owner: deployerAccount,
      pendingOwner: undefined,
    });
    // The limit is a bound and not a guess: what is above the gas used is the part that the model rounds up.
    const limit = deployGas(encodeDeployData({ abi: vipScoreAbi, bytecode: vipScoreBytecode, args: [initStage] }));
    expect(Number(limit) / Number(deployed.gasUsed)).toBeLessThan(1.35);
    const step = { step: "deploy", address: deployed.address, hash: deployed.hash };
    expect(events).toEqual([
      { ...step, status: "sending" },
      { ...step, status: "done", gasUsed: deployed.gasUsed },
    ]);
    const contract = await connectEvm({ rpcUrl, address: deployed.address, account: deployer });
    expect(contract.features).toEqual(featuresOf(deployed.version));
    await writeRows(contract, rowsOf(2), initStage);
    expect(await readRows(contract, initStage)).toEqual(rowsOf(2));
  });

  test("members are added, ownership is offered, and moves when it is accepted", async () => {
    const { rpcUrl } = chain;
    const members = [accountOf(1), deployerAccount, operatorAccount, accountOf(1)];
    const steps: string[] = [];
    const onEvent = ({ step, status, account }: DeployEvent) => steps.push(`${step} ${status} ${account ?? ""}`.trim());
    const deployed = await deployEvm({
      rpcUrl,
      account: deployer,
      initStage,
      members,
      owner: operatorAccount,
      onEvent,
    });
    expect(new Set(deployed.members)).toEqual(new Set(members));
    expect(deployed).toMatchObject({ owner: deployerAccount, pendingOwner: operatorAccount });
    expect(steps).toEqual([
      "deploy sending",
      "deploy done",
      ...[accountOf(1), operatorAccount].flatMap((member) => [
        `addMember sending ${member}`,
        `addMember done ${member}`,
      ]),
      `offerOwnership sending ${operatorAccount}`,
      `offerOwnership done ${operatorAccount}`,
    ]);

    const { address } = deployed;
    const contract = await connectEvm({ rpcUrl, address, account: operator });
    const data = encodeFunctionData({ abi: vipScoreAbi, functionName: "acceptOwnership" });
    const fees = await readGasFees(openJsonRpc(rpcUrl), undefined);
    const sequence = await contract.getSequence();
    const request = { to: address, data, chainId: 31337n, sequence, gas: 200_000n, fees };
    expect(await settle(contract, await signTransaction(operator, request))).toMatchObject({ succeeded: true });
    const client = createPublicClient({ transport: http(rpcUrl, { timeout: hangBoundMs }) });
    const blockNumber = await contract.getHeight();
    expect(await client.readContract({ abi: vipScoreAbi, address, functionName: "owner", blockNumber })).toBe(
      operator.address,
    );
  });

  test("the last stage of u64 can be the first", async () => {
    const deployed = await deployEvm({ rpcUrl: chain.rpcUrl, account: deployer, initStage: stage(u64Max) });
    expect(deployed.initStage).toBe(u64Max);
  });

  test("nothing is sent to another chain than expected", async () => {
    const { rpcUrl } = chain;
    const deploying = deployEvm({ rpcUrl, account: deployer, initStage, expectedChainId: 1n });
    await expect(deploying).rejects.toMatchObject({ code: "CHAIN_MISMATCH" });
  });

  test.each(traits.chargesGas ? ["an account without funds"] : [])("%s is told so", async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const deploying = deployEvm({ rpcUrl: chain.rpcUrl, account, initStage });
    await expect(deploying).rejects.toMatchObject({ code: "INSUFFICIENT_FUNDS" });
  });

  test("an abort between steps ends the deployment with the caller's reason", async () => {
    const caller = new AbortController();
    const reason = new Error("enough");
    const events: DeployEvent[] = [];
    const onEvent = (event: DeployEvent) => {
      events.push(event);
      if (event.status === "done") caller.abort(reason);
    };
    const { rpcUrl } = chain;
    const members = [accountOf(1)];
    const deploying = deployEvm({ rpcUrl, account: deployer, initStage, members, onEvent, signal: caller.signal });
    await expect(deploying).rejects.toBe(reason);
    expect(events.map(({ step }) => step)).toEqual(["deploy", "deploy"]);
  });
});
