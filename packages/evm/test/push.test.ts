import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testPush } from "@vipscore/testkit/adapter/push";
import { hardhat } from "./evmChain.ts";

testPush(useChain(hardhat.start));
