import { testTxIndexOff } from "@vipscore/testkit/adapter/txIndexOff";
import { startWasm } from "./wasmChain.ts";

testTxIndexOff(startWasm);
