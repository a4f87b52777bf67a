const assert = require("node:assert/strict");
const { artifacts, network } = require("hardhat");
const { createWalletClient, custom, publicActions } = require("viem");

it("scores", async () => {
  const { vipScoreAbi } = await import("@vipscore/contracts-evm/abi");
  const transport = custom(network.provider);
  const [account] = await createWalletClient({ transport }).getAddresses();
  const client = createWalletClient({ account, transport }).extend(publicActions);
  const { abi, bytecode } = await artifacts.readArtifact("Scores");
  const deployed = await client.deployContract({ abi, bytecode, args: [1n], chain: null });
  const { contractAddress: address } = await client.waitForTransactionReceipt({ hash: deployed });
  const contract = { address, abi: vipScoreAbi };
  const call = { ...contract, functionName: "updateScore", args: [1n, account, 350n], chain: null };
  await client.waitForTransactionReceipt({ hash: await client.writeContract(call) });
  const scored = await client.readContract({ ...contract, functionName: "scores", args: [1n, account] });
  assert.deepEqual(scored, [true, 350n]);
});
