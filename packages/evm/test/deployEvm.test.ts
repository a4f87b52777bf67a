import { createPublicClient, encodeDeployData, http } from "viem";
import { describe, expect, test } from "vitest";
import { stage, type DeployEvent } from "@vipscore/core";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testDeploy } from "@vipscore/testkit/adapter/deploy";
import { accountOf, rowsOf, writeRows } from "@vipscore/testkit/adapter/rows";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { accountOfAddress } from "../src/evmAddress.ts";
import { deployGas } from "../src/gasModel.ts";
import { connectEvm, deployEvm, vipScoreAbi, vipScoreBytecode, type EvmProvider } from "../src/index.ts";
import { evmChains } from "./evmChain.ts";
import { freshAccount } from "./testContract.ts";

const initStage = stage(4n);

describe.each(evmChains)("on $name", ({ start }) => {
  const chain = useChain(start);

  testDeploy(chain);

  test("each step is reported, and the deployment stays within its gas limit", async () => {
    const rpcUrl = chain().url;
    const events: DeployEvent[] = [];
    const deployed = await deployEvm({
      rpcUrl,
      account: await freshAccount(rpcUrl),
      initStage,
      members: [accountOf(1), accountOf(2)],
      owner: accountOf(2),
      onEvent: (event) => events.push(event),
    });
    expect(deployed.chainId).toBe(31337n);
    // The limit is a tight bound: only the model's rounding exceeds the gas used.
    const limit = deployGas(encodeDeployData({ abi: vipScoreAbi, bytecode: vipScoreBytecode, args: [initStage] }));
    expect(Number(limit) / Number(deployed.transaction?.gasUsed)).toBeLessThan(1.35);
    const step = { step: "deploy", address: deployed.address, hash: deployed.transaction?.hash };
    expect(events.slice(0, 2)).toEqual([
      { ...step, status: "sending" },
      { ...step, status: "done", gasUsed: deployed.transaction?.gasUsed },
    ]);
    const steps = events.slice(2).map((event) => `${event.step} ${event.status} ${event.account}`);
    expect(steps).toEqual([
      ...[accountOf(1), accountOf(2)].flatMap((member) => [`addMember sending ${member}`, `addMember done ${member}`]),
      `offerOwnership sending ${accountOf(2)}`,
      `offerOwnership done ${accountOf(2)}`,
    ]);
  });

  test.each([1, 2, 3, 4])("another run finishes a deployment that stopped after transaction %i", async (ends) => {
    const rpcUrl = chain().url;
    const account = await freshAccount(rpcUrl);
    const deployment = {
      rpcUrl,
      account,
      initStage: stage(BigInt(100 + ends)),
      members: [accountOf(1), accountOf(2)],
      finalizer: accountOf(3),
    };
    const caller = new AbortController();
    const reason = new Error("killed");
    const sent: string[] = [];
    let created = "";
    const first = deployEvm({
      ...deployment,
      signal: caller.signal,
      onEvent: ({ status, address, hash = "" }) => {
        created = address;
        if (status === "done" && sent.push(hash) === ends) caller.abort(reason);
      },
    });
    await expect(first).rejects.toBe(reason);
    // Only the deployer is a member until the finalizer is named.
    const stopped = await connectEvm({ rpcUrl, address: created });
    const shown = async () => [(await stopped.getMembers())?.length, (await stopped.getControl())?.finalizer];
    // A new connection may still read the state before the last transaction.
    await expect.poll(shown, { timeout: hangBoundMs }).toEqual(ends === 1 ? [1, undefined] : [ends - 1, accountOf(3)]);
    const steps: string[] = [];
    const onEvent = ({ step, status, address }: DeployEvent) => steps.push(`${step} ${status} ${address}`);
    const { address, ...finished } = await deployEvm({ ...deployment, onEvent });
    expect(finished).toMatchObject({
      transaction: undefined,
      finalizer: accountOf(3),
      initStage: deployment.initStage,
    });
    expect(new Set(finished.members)).toEqual(new Set([accountOfAddress(account.address), ...deployment.members]));
    const all = ["deploy", "setFinalizer", "addMember", "addMember"];
    expect(steps).toEqual([
      ...all.slice(0, ends).map((step) => `${step} unchanged ${address}`),
      ...all.slice(ends).flatMap((step) => [`${step} sending ${address}`, `${step} done ${address}`]),
    ]);
    const again = await deployEvm(deployment);
    expect(again).toMatchObject({ address, transaction: undefined });
  });

  test("another run finds a deployment whose answer never arrived", async () => {
    const rpcUrl = chain().url;
    const account = await freshAccount(rpcUrl);
    const deployment = { account, initStage: stage(200n), members: [accountOf(1)] };
    const caller = new AbortController();
    const client = createPublicClient({ transport: http(rpcUrl, { timeout: hangBoundMs }) });
    const provider: EvmProvider = {
      request: async (request: { readonly method: string }) => {
        const result: unknown = await client.request(request as never);
        if (request.method === "eth_sendRawTransaction") caller.abort(new Error("killed"));
        return result;
      },
    };
    let address = "";
    const onEvent = (event: DeployEvent) => (address = event.address);
    const first = deployEvm({ ...deployment, provider, onEvent, signal: caller.signal });
    await expect(first).rejects.toThrow("killed");
    const finished = await deployEvm({ ...deployment, rpcUrl });
    expect(finished).toMatchObject({
      address,
      transaction: undefined,
      members: [accountOfAddress(account.address), accountOf(1)],
    });
  });

  test("a contract with scores, other parameters or a contract to replace lead to a new one", async () => {
    const rpcUrl = chain().url;
    const account = await freshAccount(rpcUrl);
    const deployment = { rpcUrl, account, initStage };
    const { address } = await deployEvm(deployment);
    const replacing = await deployEvm({ ...deployment, replaces: address.toLowerCase() });
    expect(replacing.address).not.toBe(address);
    const other = await deployEvm({ ...deployment, initStage: stage(5n) });
    expect(other.address).not.toBe(replacing.address);
    const last = await deployEvm(deployment);
    const contract = await connectEvm({ rpcUrl, address: last.address, account });
    await writeRows(contract, rowsOf(1), initStage);
    expect((await deployEvm(deployment)).address).not.toBe(last.address);
  });
});
