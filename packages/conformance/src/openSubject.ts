import type { Vm } from "@vipscore/core";
import { chooseAccounts } from "./scenarios/expectations.ts";
import type { OpenSubjectOptions, Subject } from "./subject.ts";

/** Opens a chain. Loads the libraries of its VM only, which takes seconds. */
export async function openSubject(options: OpenSubjectOptions): Promise<Subject> {
  chooseAccounts(options.seed);
  return opens[options.code.vm](options);
}

const opens: Readonly<Record<Vm, (options: OpenSubjectOptions) => Promise<Subject>>> = {
  evm: async (options) => (await import("./subjects/evmSubject.ts")).openEvmSubject(options),
  move: async (options) => (await import("./subjects/moveSubject.ts")).openMoveSubject(options),
  wasm: async (options) => (await import("./subjects/wasmSubject.ts")).openWasmSubject(options),
};
