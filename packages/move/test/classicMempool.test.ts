import { shapes, useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testPush } from "@vipscore/testkit/adapter/push";
import { isLong } from "@vipscore/testkit/isLong";
import { startMove } from "./moveChain.ts";

// The mempool of initia v1.2: late blocks, so that transactions are pending; the reference's shape at night.
testPush(
  useChain(() => startMove({ mempool: "classic", blockTimeMs: 200 })),
  isLong ? shapes : ["ours"],
);
