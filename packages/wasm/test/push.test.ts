import { describe } from "vitest";
import type { Mempool } from "@vipscore/localnet";
import { shapes, useChain, type Shape } from "@vipscore/testkit/adapter/adapterChain";
import { testPush } from "@vipscore/testkit/adapter/push";
import { startWasm } from "./wasmChain.ts";

/** Both shapes on the mempool of initia v1.4; on that of v1.2 only ours, or both if VIPSCORE_LONG=true. */
function shapesOf(mempool: Mempool): readonly Shape[] {
  return mempool === "initia" || process.env["VIPSCORE_LONG"] === "true" ? shapes : ["ours"];
}

describe.each<Mempool>(["initia", "classic"])("with the mempool %s", (mempool) => {
  // Late blocks, so that transactions are pending.
  testPush(
    useChain(() => startWasm({ mempool, blockTimeMs: 200 })),
    shapesOf(mempool),
  );
});
