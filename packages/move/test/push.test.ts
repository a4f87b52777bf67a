import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testFinalize } from "@vipscore/testkit/adapter/finalize";
import { testPush } from "@vipscore/testkit/adapter/push";
import { startMove } from "./moveChain.ts";

// Late blocks, so that transactions are pending.
const chain = useChain(() => startMove({ blockTimeMs: 200, over: "rpcUrl" }));

testPush(chain);
testFinalize(chain);
