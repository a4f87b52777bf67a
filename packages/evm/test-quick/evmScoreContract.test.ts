import { hardhat } from "../test/evmChain.ts";
import { testEvmScoreContract } from "../test/testEvmScoreContract.ts";

testEvmScoreContract(hardhat);
