import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testPush } from "@vipscore/testkit/adapter/push";
import { startWasm } from "./wasmChain.ts";

// Late blocks, so that transactions are pending.
testPush(useChain(() => startWasm({ blockTimeMs: 200 })));
