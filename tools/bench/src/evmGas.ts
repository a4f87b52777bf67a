import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import {
  createPublicClient,
  createWalletClient,
  custom,
  keccak256,
  slice,
  toHex,
  type Address,
  type EIP1193Parameters,
  type Hash,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { hardhat } from "viem/chains";
import { vipScoreAbi, vipScoreBytecode } from "@vipscore/evm";
import baselines from "./baselines.json" with { type: "json" };
import { gasCase, type GasCase } from "./gasCase.ts";

const batch = 500;
/** Larger than any batch; transactions of the baseline were not capped either. */
const gasLimit = 900_000_000n;
const { evm: reference } = baselines;

/**
 * Measures the gas of writing 500 scores with the built contract, case by case, on Hardhat's network in this process, with
 * Ethereum's gas schedule (Cancun), as for the baseline.
 */
export async function measureEvmGas(): Promise<readonly GasCase[]> {
  const contract = await deploy();
  try {
    const accounts = Array.from({ length: batch }, (_, i) => slice(keccak256(toHex(`account ${i}`)), 0, 20));
    const amounts = accounts.map((_, i) => BigInt(1_000 + i));
    const others = amounts.map((amount) => amount + 1n);
    const perRow = async (sent: Promise<bigint>): Promise<number> => Number(await sent) / batch;

    const first = await perRow(contract.updateScores(1n, accounts, amounts));
    const overwrite = await perRow(contract.updateScores(1n, accounts, others));
    await contract.finalizeStage(1n);
    const next = await perRow(contract.updateScores(2n, accounts, amounts));
    await contract.finalizeStage(2n);
    const groups = packGroups(await contract.idsOf(accounts), amounts);
    const packed = await perRow(contract.updateScoresPacked(3n, groups));
    const packedOverwrite = await perRow(
      contract.updateScoresPacked(3n, packGroups(await contract.idsOf(accounts), others)),
    );
    return [
      gasCase(`new-${batch}`, first, reference.newScorePerRow, 1.071),
      gasCase(`next-stage-${batch}`, next, reference.sameAddressesNextStagePerRow, 0.235),
      gasCase(`overwrite-${batch}`, overwrite, reference.overwritePerRow, 0.68),
      gasCase(`packed-${batch}`, packed, reference.sameAddressesNextStagePerRow, 0.125),
      gasCase(`packed-overwrite-${batch}`, packedOverwrite, reference.overwritePerRow, 0.161),
    ];
  } finally {
    await contract.close();
  }
}

/** Scores of up to four accounts with neighboring ids, as `updateScoresPacked` takes them. */
interface PackedGroup {
  readonly key: bigint;
  readonly amounts: bigint;
}

function packGroups(ids: readonly number[], amounts: readonly bigint[]): readonly PackedGroup[] {
  const groups = new Map<number, PackedGroup>();
  for (const [index, id] of ids.entries()) {
    const number = Math.floor(id / 4);
    const lane = BigInt(id % 4);
    const packed = groups.get(number) ?? { key: BigInt(number) * 16n, amounts: 0n };
    const amount = (amounts[index] ?? 0n) << (64n * lane);
    groups.set(number, { key: packed.key | (1n << lane), amounts: packed.amounts | amount });
  }
  return [...groups.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

async function deploy() {
  const runtime = await createHardhatRuntimeEnvironment({
    networks: {
      bench: { type: "edr-simulated", hardfork: "cancun", blockGasLimit: gasLimit, transactionGasCap: false },
    },
  });
  const connection = await runtime.network.create({ network: "bench", chainType: "l1" });
  const request = ({ method, params }: EIP1193Parameters) =>
    connection.provider.request({ method, params: params as unknown[] });
  const transport = custom({ request });
  const account = privateKeyToAccount(keccak256(toHex("gas bench")));
  await connection.provider.request({
    method: "hardhat_setBalance",
    params: [account.address, toHex(10n ** 24n)],
  });
  const wallet = createWalletClient({ account, chain: hardhat, transport });
  const client = createPublicClient({ chain: hardhat, transport });
  const receiptOf = async (hash: Hash) => {
    const receipt = await client.getTransactionReceipt({ hash });
    if (receipt.status !== "success") throw new Error(`transaction ${hash} failed`);
    return receipt;
  };
  const created = await receiptOf(
    await wallet.deployContract({ abi: vipScoreAbi, bytecode: vipScoreBytecode, args: [1n], gas: gasLimit }),
  );
  if (!created.contractAddress) throw new Error("the contract was not created");
  const contract = { abi: vipScoreAbi, address: created.contractAddress, gas: gasLimit } as const;
  const gasOf = async (hash: Promise<Hash>): Promise<bigint> => (await receiptOf(await hash)).gasUsed;
  return {
    updateScores: (stage: bigint, accounts: readonly Address[], amounts: readonly bigint[]) =>
      gasOf(wallet.writeContract({ ...contract, functionName: "updateScores", args: [stage, accounts, amounts] })),
    updateScoresPacked: (stage: bigint, groups: readonly PackedGroup[]) =>
      gasOf(wallet.writeContract({ ...contract, functionName: "updateScoresPacked", args: [stage, groups] })),
    finalizeStage: (stage: bigint) =>
      gasOf(wallet.writeContract({ ...contract, functionName: "finalizeStage", args: [stage] })),
    idsOf: (accounts: readonly Address[]) =>
      client.readContract({ ...contract, functionName: "idsOf", args: [accounts] }),
    close: () => connection.close(),
  };
}
