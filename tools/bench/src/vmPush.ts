import {
  planPush,
  requireAgreement,
  verifyScores,
  type Batch,
  type ScoreContract,
  type ScoreTable,
  type SignedTransaction,
} from "@vipscore/core";
import { signAndSubmit } from "@vipscore/core/engine";
import { until } from "@vipscore/testkit/until";
import type { PushTarget } from "./pushTarget.ts";

/** Maximum pending transactions: an Initia node keeps 64 per account. */
const maxWaiting = 60;

/**
 * Measures how long a node needs for the batches of a push when only the node takes time: all transactions are
 * signed before the clock starts and sent one after the other without waiting for blocks. The clock stops when
 * the last one is in a block. Reading and verifying do not count.
 *
 * @returns seconds.
 */
export async function vmPush({ connect, stage, packed }: PushTarget, table: ScoreTable): Promise<number> {
  const contract = await connect();
  const { batches } = await planPush(contract, stage, table, { packed });
  const first = await contract.getSequence();
  const signed = new Map<bigint, SignedTransaction>();
  const sign = ({ rows, gas }: Batch, sequence: bigint) =>
    contract.sign({ kind: "updateScores", stage, rows, packed }, { sequence, gas });
  for (const [index, batch] of batches.entries()) {
    const sequence = first + BigInt(index);
    signed.set(sequence, await sign(batch, sequence));
  }

  const started = performance.now();
  const sent: SignedTransaction[] = [];
  for (const [index, batch] of batches.entries()) {
    const oldest = sent[index - maxWaiting];
    if (oldest !== undefined) await included(contract, oldest);
    const sequence = first + BigInt(index);
    let signings = 0;
    const take = (): Promise<SignedTransaction> => {
      signings += 1;
      // The node requires the other form, so the transactions signed so far are useless.
      if (signings === 2) signed.clear();
      const ready = signed.get(sequence);
      return ready === undefined ? sign(batch, sequence) : Promise.resolve(ready);
    };
    sent.push(await signAndSubmit(contract, take, { sequence, rows: batch.rows.length }));
  }
  const last = sent.at(-1);
  if (last !== undefined) await included(contract, last);
  const seconds = (performance.now() - started) / 1_000;

  requireAgreement(await verifyScores(contract, stage, table));
  return seconds;
}

async function included(contract: ScoreContract, { hash }: SignedTransaction): Promise<void> {
  const status = await until(`transaction ${hash}`, async () => {
    const found = await contract.lookUp(hash);
    return found.state === "included" && found;
  });
  if (!status.succeeded) throw new Error(`transaction ${hash} of the bench failed: ${status.details ?? "no details"}`);
}
