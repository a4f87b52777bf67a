import { createHash } from "node:crypto";
import { bcs, MsgExecute } from "@initia/initia.js";
import { stage } from "@vipscore/core";
import { startVipnode, testAccounts } from "@vipscore/localnet";
import { deployMove, moveAccount, readMoveChainId } from "@vipscore/move";
import baselines from "./baselines.json" with { type: "json" };
import { readSigner, send, type Cost } from "./cosmosTransactions.ts";
import { gasCase, type GasCase } from "./gasCase.ts";

/** Enough for any batch of the bench. */
const gasLimit = 20_000_000n;
/** Gas that the Cosmos SDK charges per byte of a transaction (`x/auth`, `TxSizeCostPerByte`). */
const gasPerByte = 10;
const { move: reference } = baselines;

/**
 * Measures the gas of writing scores with the built module, case by case, on its own vipnode.
 *
 * There are two kinds of figures. `tx-…` is the whole transaction's gas per row, next to the reference module's on minimove,
 * which vipnode's gas equals (docs/fidelity.md). The others leave out the transaction's bytes, 10 gas each, and stand next to
 * the reference's gas in the VM only: they include the signature and other SDK charges, some 30 gas per score, so
 * they are upper bounds.
 */
export async function measureMoveGas(): Promise<readonly GasCase[]> {
  const chain = await openChain();
  try {
    const written = (entry: string, number: bigint, rows: number, more: number): Promise<Cost> =>
      chain.execute(entry, [
        bcs.u64().serialize(number),
        bcs.vector(bcs.address()).serialize(accounts.slice(0, rows)),
        bcs.vector(bcs.u64()).serialize(amounts.slice(0, rows).map((amount) => amount + BigInt(more))),
      ]);
    const finalize = (number: bigint) => chain.execute("finalize_script", [bcs.u64().serialize(number)]);

    const each = await written("update_score_script", 1n, 1_000, 0);
    await finalize(1n);
    const next = await written("update_score_script", 2n, 1_000, 0);
    await finalize(2n);
    const batch = await written("update_scores_script", 3n, 1_000, 0);
    await finalize(3n);
    const each500 = await written("update_score_script", 4n, 500, 0);
    const overwrite500 = await written("update_score_script", 4n, 500, 1);
    await finalize(4n);
    const batch500 = await written("update_scores_script", 5n, 500, 0);
    const batchOverwrite500 = await written("update_scores_script", 5n, 500, 1);
    const { vmOnlyPerRow, newScorePerRow, overwritePerRow } = reference;
    return [
      gasCase("update-1000", withoutBytes(each, 1_000), vmOnlyPerRow, 0.9),
      gasCase("update-next-stage-1000", withoutBytes(next, 1_000), vmOnlyPerRow, 0.9),
      gasCase("batch-event-1000", withoutBytes(batch, 1_000), vmOnlyPerRow, 0.77),
      gasCase("tx-update-500", each500.gas / 500, newScorePerRow),
      gasCase("tx-batch-event-500", batch500.gas / 500, newScorePerRow),
      gasCase("tx-overwrite-500", overwrite500.gas / 500, overwritePerRow),
      gasCase("tx-batch-event-overwrite-500", batchOverwrite500.gas / 500, overwritePerRow),
    ];
  } finally {
    await chain.close();
  }
}

function withoutBytes({ gas, bytes }: Cost, rows: number): number {
  return (gas - gasPerByte * bytes) / rows;
}

const accounts = Array.from(
  { length: 1_000 },
  (_, i) => `0x${createHash("sha256").update(`account ${i}`).digest("hex").slice(0, 40)}`,
);
const amounts = accounts.map((_, i) => BigInt(1_000 + i));

async function openChain() {
  const node = await startVipnode({ vm: "move" });
  const { restUrl } = node;
  try {
    const account = moveAccount({ mnemonic: testAccounts.deployer.mnemonic });
    const { address } = await deployMove({ restUrl, account, initStage: stage(1n) });
    const chainId = await readMoveChainId({ restUrl });
    const execute = async (name: string, args: readonly { toBase64(): string }[]): Promise<Cost> => {
      const { accountNumber, sequence } = await readSigner(restUrl, account.address);
      const encoded = args.map((arg) => arg.toBase64());
      const { typeUrl, value } = new MsgExecute(account.address, address, "vip_score", name, [], encoded).packAny();
      const unsigned = { message: { typeUrl, value }, chainId, accountNumber, sequence, gas: gasLimit, fee: undefined };
      const bytes = await account.signTransaction(unsigned);
      return send(restUrl, bytes);
    };
    return { execute, close: () => node.stop() };
  } catch (error) {
    await node.stop();
    throw error;
  }
}
