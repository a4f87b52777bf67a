import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testPush } from "@vipscore/testkit/adapter/push";
import { startMove } from "./moveChain.ts";

// Late blocks, so that transactions are pending.
testPush(useChain(() => startMove({ blockTimeMs: 200, over: "rpcUrl" })));
