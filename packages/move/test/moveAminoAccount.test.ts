import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testAminoAccount } from "@vipscore/testkit/adapter/aminoAccount";
import { moveAccount, moveAminoAccount } from "../src/index.ts";
import { startMove } from "./moveChain.ts";

testAminoAccount(
  useChain(() => startMove()),
  moveAccount,
  moveAminoAccount,
);
