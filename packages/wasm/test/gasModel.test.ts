import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testGasModel } from "@vipscore/testkit/adapter/gasModel";
import { startWasm } from "./wasmChain.ts";

testGasModel(useChain(() => startWasm()));
