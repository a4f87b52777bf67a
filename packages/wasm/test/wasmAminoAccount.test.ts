import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testAminoAccount } from "@vipscore/testkit/adapter/aminoAccount";
import { wasmAccount, wasmAminoAccount } from "../src/index.ts";
import { startWasm } from "./wasmChain.ts";

testAminoAccount(
  useChain(() => startWasm()),
  wasmAccount,
  wasmAminoAccount,
);
