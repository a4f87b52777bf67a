import { hardhat } from "./evmChain.ts";
import { testEvmScoreContract } from "./testEvmScoreContract.ts";

testEvmScoreContract(hardhat);
