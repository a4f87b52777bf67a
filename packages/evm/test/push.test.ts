import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testFinalize } from "@vipscore/testkit/adapter/finalize";
import { testPush } from "@vipscore/testkit/adapter/push";
import { hardhat } from "./evmChain.ts";

const chain = useChain(hardhat.start);

testPush(chain);
testFinalize(chain);
