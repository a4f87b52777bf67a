import { createRequire } from "node:module";
import { dirname } from "node:path";
import { createHardhatRuntimeEnvironment, importUserConfig } from "hardhat/hre";
import { createPublicClient, createWalletClient, defineChain, http, type Abi, type Address, type Hex } from "viem";
import { mnemonicToAccount, privateKeyToAccount } from "viem/accounts";
import { stage, type ScoreRow } from "@vipscore/core";
import { connectEvm, deployEvm } from "@vipscore/evm";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import type { BenchChain, BenchChainParameters, PlainClient } from "./benchChain.ts";

interface Compiled {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

/** An EVM chain. The plain library is viem, with the block time in its definition of the chain. */
export async function openEvmChain({ endpoint, key, blockTimeMs }: BenchChainParameters): Promise<BenchChain> {
  const account = "mnemonic" in key ? mnemonicToAccount(key.mnemonic) : privateKeyToAccount(key.privateKey);
  const transport = http(endpoint, { timeout: hangBoundMs });
  const id = await createPublicClient({ transport }).getChainId();
  const chain = defineChain({
    id,
    name: "bench",
    nativeCurrency: { name: "gas", symbol: "GAS", decimals: 18 },
    rpcUrls: { default: { http: [endpoint] } },
    blockTime: blockTimeMs,
  });
  const openClients = () => ({
    wallet: createWalletClient({ account, chain, transport }),
    client: createPublicClient({ chain, transport }),
  });
  let reference: Compiled | undefined;
  return {
    deployOurs: async () => {
      const { address } = await deployEvm({ rpcUrl: endpoint, account, initStage: stage(1n) });
      return () => connectEvm({ rpcUrl: endpoint, address, account });
    },
    deployReference: async () => {
      reference ??= await compileReference();
      const { abi } = reference;
      const { wallet, client } = openClients();
      const hash = await wallet.deployContract({ ...reference, args: [1n] });
      const { contractAddress: address } = await client.waitForTransactionReceipt({ hash });
      if (!address) throw new Error("the reference contract was not created");
      return () => Promise.resolve(openClient(openClients(), abi, address));
    },
  };

  function openClient({ wallet, client }: ReturnType<typeof openClients>, abi: Abi, address: Address): PlainClient {
    const callOf = (rows: readonly ScoreRow[]) => {
      const args = [1n, rows.map((row) => row.account), rows.map((row) => row.score)];
      return { abi, address, account, functionName: "updateScores", args };
    };
    return {
      estimate: (rows) => client.estimateContractGas(callOf(rows)),
      update: async (rows) => {
        const hash = await wallet.writeContract({ ...callOf(rows), chain });
        const { status } = await client.waitForTransactionReceipt({ hash, timeout: hangBoundMs });
        if (status !== "success") throw new Error(`transaction ${hash} of the plain library failed`);
      },
      close: () => {},
    };
  }
}

/** Builds what changed in contracts/evm, with its own Hardhat settings. */
async function compileReference(): Promise<Compiled> {
  const config = createRequire(import.meta.url).resolve("@vipscore/contracts-evm/hardhat.config.ts");
  const hre = await createHardhatRuntimeEnvironment(await importUserConfig(config), { config }, dirname(config));
  await hre.tasks.getTask("build").run({ quiet: true });
  const { abi, bytecode } = await hre.artifacts.readArtifact("ReferenceShape");
  return { abi, bytecode: bytecode as Hex };
}
