import {
  BroadcastError,
  handOver,
  planPush,
  requireAgreement,
  stage,
  verifyScores,
  type ScoreContract,
  type ScoreTable,
  type SignedTransaction,
} from "@vipscore/core";
import { until } from "@vipscore/testkit/until";

/** Transactions that wait at most: a node of Initia keeps 64 of an account. */
const mostWaiting = 60;

/**
 * Measures how long a node needs for the batches of a push when nothing but the node itself takes time: all transactions are
 * signed before the clock starts, are handed over one after the other without waiting for any block, and the clock stops when
 * the last one is in a block. Reading and verifying are not in it.
 *
 * @param contract - With no rows yet in stage 1.
 * @returns seconds.
 */
export async function vmPush(contract: ScoreContract, table: ScoreTable): Promise<number> {
  const { batches } = await planPush(contract, stage(1n), table);
  const first = await contract.getSequence();
  const signings = batches.map(({ rows, gas }, index) => {
    const sequence = first + BigInt(index);
    const call = { kind: "updateScores", stage: stage(1n), rows } as const;
    return { rows: rows.length, sign: () => contract.sign(call, { sequence, gas }) };
  });
  const signed: SignedTransaction[] = [];
  for (const { sign } of signings) signed.push(await sign());

  const started = performance.now();
  const sent: SignedTransaction[] = [];
  for (const [index, { rows, sign }] of signings.entries()) {
    const oldest = sent[index - mostWaiting];
    if (oldest !== undefined) await included(contract, oldest);
    const transaction = signed[index];
    if (transaction === undefined) break;
    sent.push(await handOverInItsForm(contract, transaction, { rows, sign }));
  }
  const last = sent.at(-1);
  if (last !== undefined) await included(contract, last);
  const seconds = (performance.now() - started) / 1_000;

  requireAgreement(await verifyScores(contract, stage(1n), table));
  return seconds;
}

/** Hands a transaction over; signs it again where the node takes it in another form only. */
async function handOverInItsForm(
  contract: ScoreContract,
  transaction: SignedTransaction,
  { rows, sign }: { readonly rows: number; readonly sign: () => Promise<SignedTransaction> },
): Promise<SignedTransaction> {
  try {
    await handOver(contract, transaction, { rows });
    return transaction;
  } catch (error) {
    if (!(error instanceof BroadcastError) || error.refusal !== "resign") throw error;
    const other = await sign();
    await handOver(contract, other, { rows });
    return other;
  }
}

async function included(contract: ScoreContract, { hash }: SignedTransaction): Promise<void> {
  const status = await until(`transaction ${hash}`, async () => {
    const found = await contract.lookUp(hash);
    return found.state === "included" && found;
  });
  if (!status.succeeded) throw new Error(`transaction ${hash} of the bench failed: ${status.details ?? "no details"}`);
}
