import { startEvmChain } from "./evmChain.ts";
import type { LiveChain } from "./liveChain.ts";
import { startMoveChain } from "./moveChain.ts";
import { startWasmChain } from "./wasmChain.ts";

/** The local chains that play the same history. */
export const liveChains: readonly { readonly name: string; readonly start: () => Promise<LiveChain> }[] = [
  { name: "EVM", start: startEvmChain },
  { name: "Wasm", start: startWasmChain },
  { name: "Move", start: startMoveChain },
];
