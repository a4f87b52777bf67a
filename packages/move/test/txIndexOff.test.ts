import { testTxIndexOff } from "@vipscore/testkit/adapter/txIndexOff";
import { startMove } from "./moveChain.ts";

testTxIndexOff(startMove);
