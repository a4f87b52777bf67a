import { shapes, useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testPush } from "@vipscore/testkit/adapter/push";
import { startWasm } from "./wasmChain.ts";

// The mempool of initia v1.2: late blocks, so that transactions are pending; the reference's shape if VIPSCORE_LONG=true.
testPush(
  useChain(() => startWasm({ mempool: "classic", blockTimeMs: 200 })),
  process.env["VIPSCORE_LONG"] === "true" ? shapes : ["ours"],
);
