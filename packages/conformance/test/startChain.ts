import type { Vm } from "@vipscore/core";
import { startHardhat, startVipnode } from "@vipscore/localnet";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { openSubject, type ContractCode, type Subject } from "../src/index.ts";

/** A local chain on which several contracts are tested. */
export interface Chain extends AsyncDisposable {
  readonly open: (code: ContractCode) => Promise<Subject>;
}

export async function startChain(vm: Vm): Promise<Chain> {
  const seed = fuzzSeed();
  if (vm === "evm") {
    const node = await startHardhat();
    return { open: (code) => openSubject({ url: node.rpcUrl, code, seed }), [Symbol.asyncDispose]: () => node.stop() };
  }
  const node = await startVipnode({ vm });
  const url = vm === "move" ? node.restUrl : node.rpcUrl;
  return { open: (code) => openSubject({ url, code, seed }), [Symbol.asyncDispose]: () => node.stop() };
}
