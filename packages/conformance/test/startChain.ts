import type { Vm } from "@vipscore/core";
import { startHardhat, startVipnode } from "@vipscore/localnet";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { openSubject, type ContractCode, type Subject } from "../src/index.ts";

/** A local chain on which several contracts are tested; like the command's, it has another ID than local chains have. */
export interface Chain extends AsyncDisposable {
  readonly open: (code: ContractCode) => Promise<Subject>;
}

export async function startChain(vm: Vm): Promise<Chain> {
  const seed = fuzzSeed();
  if (vm === "evm") {
    const node = await startHardhat({ chainId: 4_217 });
    return { open: (code) => openSubject({ url: node.rpcUrl, code, seed }), [Symbol.asyncDispose]: () => node.stop() };
  }
  const node = await startVipnode({ vm, chainId: "rollup-4217", clockStepSeconds: 28_800 });
  const url = vm === "move" ? node.restUrl : node.rpcUrl;
  const open = (code: ContractCode) => openSubject({ url, code, seed, skipsTime: true });
  return { open, [Symbol.asyncDispose]: () => node.stop() };
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
