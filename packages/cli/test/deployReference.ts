import { readFile } from "node:fs/promises";
import { createWalletClient, encodeAbiParameters, getAddress, http, publicActions, type Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { testAccounts } from "@vipscore/localnet";

/** Deploys a contract with the published interface alone, from the test data of the EVM package. Its first stage is 1. */
export async function deployReference(rpcUrl: string): Promise<string> {
  const file = new URL("../../evm/test/data/referenceShape.json", import.meta.url);
  const { bytecode } = JSON.parse(await readFile(file, "utf8")) as { readonly bytecode: Hex };
  const account = privateKeyToAccount(testAccounts.deployer.privateKey);
  const client = createWalletClient({ account, transport: http(rpcUrl) }).extend(publicActions);
  const first = encodeAbiParameters([{ type: "uint64" }], [1n]);
  const hash = await client.sendTransaction({ data: `${bytecode}${first.slice(2)}`, chain: null });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash, pollingInterval: 50 });
  if (contractAddress === null || contractAddress === undefined) throw new Error("the contract was not deployed");
  return getAddress(contractAddress);
}
