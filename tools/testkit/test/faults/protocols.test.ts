import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseAccount, stage, type ScoreContract, type SignedTransaction } from "@vipscore/core";
import type { FaultKind } from "../../src/faults/faultChoice.ts";
import { startFaultProxy, type FaultProxy } from "../../src/faults/faultProxy.ts";
import type { RequestRole } from "../../src/faults/nodeProtocol.ts";
import { shortTiming } from "../../src/faults/playFault.ts";
import { startEvmSoakChain } from "../../src/faults/soak/evmSoakChain.ts";
import { startMoveSoakChain } from "../../src/faults/soak/moveSoakChain.ts";
import { runKey } from "../../src/faults/soak/runTable.ts";
import type { SoakChain } from "../../src/faults/soak/soakChain.ts";
import { startWasmSoakChain } from "../../src/faults/soak/wasmSoakChain.ts";
import { writeAsOther } from "../../src/faults/soak/writeAsOther.ts";
import { seededRandom } from "../../src/seededRandom.ts";
import { until } from "../../src/until.ts";
import { nodeAnswers } from "./nodeAnswers.ts";

const chains = {
  evm: () => startEvmSoakChain(100),
  move: () => startMoveSoakChain(100, "initia"),
  wasm: () => startWasmSoakChain(100, "initia"),
};
const key = runKey(1);

describe.each(["evm", "move", "wasm"] as const)("the answers of a node: %s", (vm) => {
  const node = nodeAnswers[vm];
  let chain: SoakChain;
  let address: string;
  let contract: ScoreContract;

  beforeAll(async () => {
    chain = await chains[vm]();
    await chain.fund([key]);
    address = await chain.deploy(key);
    contract = await chain.connect(address, key);
  });
  afterAll(() => chain.stop());

  /** A proxy that plays one fault on all requests of a role. */
  function play(kind: FaultKind, role: RequestRole, seed = 1): Promise<FaultProxy> {
    return startFaultProxy({
      upstreamUrl: chain.endpoint,
      protocol: chain.protocol,
      choose: (request) => (request.role === role ? { kind, random: seededRandom(seed) } : undefined),
      timing: shortTiming,
    });
  }

  async function sign(): Promise<SignedTransaction> {
    const { baseGas } = await contract.getLimits();
    const call = { kind: "updateScores", stage: stage(1n), rows: [] } as const;
    // A different limit from the other writer's, whose transaction has no rows either.
    return contract.sign(call, { sequence: await contract.getSequence(), gas: 3n * baseGas });
  }

  /** A transaction in a block. */
  async function include(): Promise<SignedTransaction> {
    const transaction = await sign();
    await contract.broadcast(transaction);
    await until("the block", async () => (await contract.lookUp(transaction.hash)).state === "included");
    return transaction;
  }

  test("forgotten: the answer has the hash, the node does not have the transaction, and the log has the hash in doubt", async () => {
    await using proxy = await play("forgotten", "broadcast");
    const { bytes, hash } = await sign();
    const response = await node.send(proxy.url, bytes);
    expect(node.sentHash(await response.json())).toBe(hash);
    expect((await contract.lookUp(hash)).state).toBe("unknown");
    expect(proxy.log.doubtfulHashes).toEqual(new Set([hash]));
  });

  test("duplicate and lostAnswer: the node takes the transaction", async () => {
    for (const kind of ["duplicate", "lostAnswer"] as const) {
      await using proxy = await play(kind, "broadcast");
      const { bytes, hash } = await sign();
      const answered = await node.send(proxy.url, bytes).catch(() => undefined);
      expect(answered === undefined).toBe(kind === "lostAnswer");
      await until("the block", async () => (await contract.lookUp(hash)).state === "included");
    }
  });

  test("otherWriter: another transaction of the signer comes first, and ours is refused", async () => {
    await using proxy = await startFaultProxy({
      upstreamUrl: chain.endpoint,
      protocol: chain.protocol,
      choose: () => ({ kind: "otherWriter", random: seededRandom(1) }),
      timing: shortTiming,
      writeAsOther: () => writeAsOther(contract),
    });
    const { bytes, hash, sequence } = await sign();
    await node.send(proxy.url, bytes);
    expect(proxy.log.played).toMatchObject([{ detail: `took sequence ${sequence}` }]);
    await until("the other's block", async () => (await contract.getSequence()) > sequence);
    expect((await contract.lookUp(hash)).state).toBe("unknown");
  });

  test("lyingReceipt: a hundred times the gas", async () => {
    const { hash } = await include();
    const gasUsed = node.gasUsed(await (await node.find(chain.endpoint, hash)).json()) ?? 0n;
    await using proxy = await play("lyingReceipt", "lookUp");
    const lie = await (await node.find(proxy.url, hash)).json();
    expect(gasUsed).toBeGreaterThan(0n);
    expect(node.gasUsed(lie)).toBe(100n * gasUsed);
  });

  test("wrongAnswer: never the node's own answer", async () => {
    const { hash } = await include();
    const right: unknown = await (await node.find(chain.endpoint, hash)).json();
    for (let seed = 0; seed < 12; seed += 1) {
      await using proxy = await play("wrongAnswer", "lookUp", seed);
      expect(await (await node.find(proxy.url, hash)).json()).not.toEqual(right);
    }
  });

  test("internalError: an error in the node's format, and the node has the transaction", async () => {
    await using proxy = await play("internalError", "broadcast");
    const { bytes, hash } = await sign();
    const answer = await (await node.send(proxy.url, bytes)).json();
    expect(answer).toMatchObject(vm === "move" ? { code: 13 } : { id: 1, error: { code: -32603 } });
    await until("the block", async () => (await contract.lookUp(hash)).state === "included");
  });

  test("staleRead: a transaction in the newest block is still missing", async () => {
    const stale = await chain.startStale(3_600_000);
    try {
      const { hash } = await include();
      expect(node.gasUsed(await (await node.find(stale.url, hash)).json())).toBeUndefined();
    } finally {
      await stale.close();
    }
  });

  test("small blocks: the product sees the configured gas", async () => {
    await using proxy = await startFaultProxy({
      upstreamUrl: chain.endpoint,
      protocol: chain.protocol,
      choose: () => undefined,
      timing: shortTiming,
      blockGas: chain.blockGas,
    });
    const through = await chain.connect(address, key, proxy.url);
    expect((await through.getLimits()).maxGas).toBe(chain.blockGas);
    expect((await contract.getLimits()).maxGas).toBeGreaterThan(chain.blockGas);
  });

  test("writes are counted from the chain's own transactions", async () => {
    const rows = [1, 2, 3].map((digit) => ({
      account: parseAccount(`0x${String(digit).repeat(40)}`, { accountBytes: [20] }),
      score: 5n,
    }));
    const { baseGas, maxGas } = await contract.getLimits();
    const gas = maxGas < 20n * baseGas ? maxGas : 20n * baseGas;
    const call = { kind: "updateScores", stage: stage(1n), rows } as const;
    const transaction = await contract.sign(call, { sequence: await contract.getSequence(), gas });
    await contract.broadcast(transaction);
    await until("the block", async () => (await contract.lookUp(transaction.hash)).state === "included");
    const { hash } = transaction;
    expect(await chain.readWrites(address, key)).toEqual(rows.map(({ account }) => ({ account, hash })));
  });
});

test("a batch is a broadcast if any of its calls is", async () => {
  const chain = await chains.evm();
  await using proxy = await startFaultProxy({
    upstreamUrl: chain.endpoint,
    protocol: chain.protocol,
    choose: ({ role }) => (role === "broadcast" ? { kind: "internalError", random: seededRandom(1) } : undefined),
    timing: shortTiming,
  });
  const calls = ["eth_chainId", "eth_blockNumber"].map((method, id) => ({ jsonrpc: "2.0", id, method, params: [] }));
  const ask = async (body: unknown) => (await fetch(proxy.url, { method: "POST", body: JSON.stringify(body) })).json();
  expect(await ask(calls)).toMatchObject([{ id: 0, result: "0x7a69" }, { id: 1 }]);
  const sending = { jsonrpc: "2.0", id: 2, method: "eth_sendRawTransaction", params: ["0x00"] };
  expect(await ask([...calls, sending])).toMatchObject([0, 1, 2].map((id) => ({ id, error: { code: -32603 } })));
  expect(proxy.log.requests.map(({ title, role }) => [title, role])).toEqual([
    ["eth_chainId+eth_blockNumber", "read"],
    ["eth_chainId+eth_blockNumber+eth_sendRawTransaction", "broadcast"],
  ]);
  await chain.stop();
});
