// Deploys the artifact on Hardhat's network, writes a score and finalizes the stage.
import assert from "node:assert/strict";
import { network } from "hardhat";
import { createPublicClient, createWalletClient, custom, type Abi, type Hash, type Hex } from "viem";
import artifact from "@vipscore/evm/artifacts/VipScore.json" with { type: "json" };

const { provider } = await network.create();
const transport = custom(provider);
const reader = createPublicClient({ transport });
const [account] = await createWalletClient({ transport }).getAddresses();
assert.ok(account);
const wallet = createWalletClient({ account, transport });
const mined = async (hash: Hash) => {
  const receipt = await reader.waitForTransactionReceipt({ hash });
  assert.equal(receipt.status, "success");
  return receipt;
};

const [abi, bytecode] = [artifact.abi as Abi, artifact.bytecode as Hex];
const { contractAddress: address } = await mined(
  await wallet.deployContract({ abi, bytecode, args: [1n], chain: null }),
);
assert.ok(address);
const contract = { address, abi, chain: null } as const;
await mined(await wallet.writeContract({ ...contract, functionName: "updateScore", args: [1n, account, 42n] }));
await mined(await wallet.writeContract({ ...contract, functionName: "finalizeStage", args: [1n] }));

const finalized = await reader.readContract({ ...contract, functionName: "stages", args: [1n] });
assert.deepEqual(finalized, [1n, 42n, true]);
console.log("a finalized stage");
