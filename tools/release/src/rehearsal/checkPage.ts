import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createWalletClient, http, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { readNodeFile } from "@vipscore/core/nodeFile";
import { testAccounts } from "@vipscore/localnet";
import { readDemoNft } from "@vipscore/testkit/demoNft";
import { findChromium } from "@vipscore/testkit/findChromium";
import { until } from "@vipscore/testkit/until";
import { runProgram } from "../runProgram.ts";

/**
 * Runs the page that `vipscore new page` wrote as its README says: a local chain with a token, and the page's own test in Chromium.
 *
 * @param folder The project, with the page in its folder `page`.
 */
export async function checkPage(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const page = join(folder, "page");
  const bin = join(page, "node_modules/@vipscore/cli/bin/vipscore.js");
  const node = spawn("node", [bin, "node", "--port", "0", "--indexer", "0"], {
    cwd: page,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(node, "close");
  const chromium = await findChromium();
  try {
    const { rpcUrl } = await until("the local node", async () => {
      if (node.exitCode !== null) throw new Error(`vipscore node: status ${node.exitCode}`);
      return readNodeFile(page);
    });
    await mintToken(rpcUrl);
    await runProgram("npm", ["run", "local"], page, env);
    const CHROMIUM = chromium.launch.executablePath;
    const output = await runProgram("npm", ["test"], page, {
      ...chromium.launch.env,
      ...env,
      CHROMIUM,
      NFTS: "Cats 1",
    });
    console.log(`  npm test: ${/^.*pass \d+$/m.exec(output)?.[0]}`);
    await runProgram("npm", ["run", "build"], page, env);
  } finally {
    node.kill();
    await ended;
    await chromium[Symbol.asyncDispose]();
  }
}

/** Mints a token for the account that the page's test asks for. */
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
