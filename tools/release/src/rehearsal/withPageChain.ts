import { join } from "node:path";
import { createWalletClient, http, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { readNodeFile } from "@vipscore/core/nodeFile";
import { testAccounts } from "@vipscore/localnet";
import { readDemoNft } from "@vipscore/testkit/demoNft";
import { until } from "@vipscore/testkit/until";
import { runProgram } from "../runProgram.ts";
import { withProgram } from "./withProgram.ts";

/**
 * Runs a function beside the local chain of a page that `vipscore new page` wrote, as the page's README says: with two stages, the
 * page's `public/rollup.json` and `public/proofs.json`, and a token of the account that the page's test asks for.
 */
export async function withPageChain(page: string, env: NodeJS.ProcessEnv, use: () => Promise<void>): Promise<void> {
  const bin = join(page, "node_modules/@vipscore/cli/bin/vipscore.js");
  await withProgram(["node", bin, "node", "--port", "0", "--indexer", "0"], page, env, async (check) => {
    const { rpcUrl } = await until("the local node", async () => {
      check();
      return readNodeFile(page);
    });
    await mintToken(rpcUrl);
    await runProgram("npm", ["run", "local"], page, env);
    await use();
  });
}

async function mintToken(rpcUrl: string): Promise<void> {
  const account = privateKeyToAccount(testAccounts.deployer.privateKey);
  const wallet = createWalletClient({ account, transport: http(rpcUrl) }).extend(publicActions);
  const { abi, bytecode } = await readDemoNft();
  const deployed = await wallet.deployContract({ abi, bytecode, args: ["Cats", "CAT"], chain: null });
  const { contractAddress } = await wallet.waitForTransactionReceipt({ hash: deployed });
  if (!contractAddress) throw new Error("no collection was deployed");
  const call = { address: contractAddress, abi, functionName: "mint", args: [[account.address]], chain: null };
  await wallet.waitForTransactionReceipt({ hash: await wallet.writeContract(call) });
}
