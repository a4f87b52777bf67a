import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testFinalize } from "@vipscore/testkit/adapter/finalize";
import { testPush } from "@vipscore/testkit/adapter/push";
import { startWasm } from "./wasmChain.ts";

// Late blocks, so that transactions are pending.
const chain = useChain(() => startWasm({ blockTimeMs: 200 }));

testPush(chain);
testFinalize(chain);
