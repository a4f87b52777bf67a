// Compiles Pictures.sol and deploys it as the public test account `deployer`.
import { readFileSync } from "node:fs";
import solc from "solc";
import { createWalletClient, http, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { testAccounts } from "@vipscore/localnet";

export async function mintEvm(rpcUrl) {
  const account = privateKeyToAccount(testAccounts.deployer.privateKey);
  const wallet = createWalletClient({ account, transport: http(rpcUrl) }).extend(publicActions);
  const hash = await wallet.deployContract({ ...compile("local/Pictures.sol"), chain: null });
  await wallet.waitForTransactionReceipt({ hash });
}

function compile(file) {
  const input = {
    language: "Solidity",
    sources: { [file]: { content: readFileSync(file, "utf8") } },
    settings: { evmVersion: "cancun", outputSelection: { [file]: { Pictures: ["abi", "evm.bytecode.object"] } } },
  };
  const findImport = (path) => ({ contents: readFileSync(`node_modules/${path}`, "utf8") });
  const { contracts, errors } = JSON.parse(solc.compile(JSON.stringify(input), { import: findImport }));
  if (contracts === undefined) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join("\n"));
  const { abi, evm } = contracts[file].Pictures;
  return { abi, bytecode: `0x${evm.bytecode.object}` };
}
