import type { Vm } from "@vipscore/core";
import { startHardhat, startVipnode, type LocalNode } from "@vipscore/localnet";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { openSubject, type ContractCode, type Subject } from "../src/index.ts";

/** A local chain on which several contracts are tested. */
export interface Chain extends AsyncDisposable {
  readonly open: (code: ContractCode) => Promise<Subject>;
}

/** Starts the VM's local node; `url` is where scenarios run. */
export async function startNode(vm: Vm): Promise<{ readonly node: LocalNode; readonly url: string }> {
  if (vm === "evm") {
    const node = await startHardhat();
    return { node, url: node.rpcUrl };
  }
  const node = await startVipnode({ vm });
  return { node, url: vm === "move" ? node.restUrl : node.rpcUrl };
}

export async function startChain(vm: Vm): Promise<Chain> {
  const { node, url } = await startNode(vm);
  const seed = fuzzSeed();
  return { open: (code) => openSubject({ url, code, seed }), [Symbol.asyncDispose]: () => node.stop() };
}

/** A contract's code on a local chain of its own. */
export async function openCode(
  vm: Vm,
  code: () => Promise<ContractCode>,
): Promise<AsyncDisposable & { subject: Subject }> {
  const bytes = await code();
  const chain = await startChain(vm);
  return { subject: await chain.open(bytes), [Symbol.asyncDispose]: () => chain[Symbol.asyncDispose]() };
}
