import type { Vm } from "@vipscore/core";
import type { ContractCode } from "./contractCode.ts";
import type { Subject } from "./subject.ts";

/** The chain and the contract that scenarios run on. */
export interface OpenSubjectOptions {
  /**
   * The chain's endpoint: JSON-RPC on EVM, REST on Move, CometBFT's RPC on Wasm. The deployer's public test account of
   * `@vipscore/localnet` must have funds there (`umin` on Move and Wasm).
   */
  readonly url: string;
  readonly code: ContractCode;
  /** Seed of the random scenarios. */
  readonly seed: number;
  /**
   * The node may be minievm, which shows a block before its state and may give no reasons for failures: each call waits for the
   * state of its block. Default: false.
   */
  readonly mayBeMinievm?: boolean;
}

/** Opens a chain. Loads the libraries of its VM only, which takes seconds. */
export async function openSubject(options: OpenSubjectOptions): Promise<Subject> {
  return opens[options.code.vm](options);
}

const opens: Readonly<Record<Vm, (options: OpenSubjectOptions) => Promise<Subject>>> = {
  evm: async (options) => (await import("./subjects/evmSubject.ts")).openEvmSubject(options),
  move: async (options) => (await import("./subjects/moveSubject.ts")).openMoveSubject(options),
  wasm: async (options) => (await import("./subjects/wasmSubject.ts")).openWasmSubject(options),
};
