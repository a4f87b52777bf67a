import { createHash } from "node:crypto";
import { MsgExecuteContract } from "@initia/initia.js";
import { formatBech32, parseAccount, stage, type Account, type ScoreRow } from "@vipscore/core";
import { startVipnode, testAccounts } from "@vipscore/localnet";
import { deployWasm, wasmAccount } from "@vipscore/wasm";
import baselines from "./baselines.json" with { type: "json" };
import { readSigner, send, type Cost } from "./cosmosTransactions.ts";
import { gasCase, type GasCase } from "./gasCase.ts";

/** Enough for any batch of the bench. */
const gasLimit = 100_000_000n;
const { newScorePerRow, sameAddressesNextStagePerRow, overwritePerRow } = baselines.wasm;

/**
 * Measures the gas of writing scores with the built contract, case by case, on its own vipnode: the whole transaction's per
 * row, next to the reference contract's, which costs on vipnode what it costs on miniwasm. The reference has no packed
 * message, so its plain message stands next to ours. A push sends its rows in order of address, and so do these; `unsorted`
 * shows what the order saves.
 */
export async function measureWasmGas(): Promise<readonly GasCase[]> {
  const chain = await openChain();
  try {
    const rows = sorted(makeRows(500, "account"));
    const sight = await measureStage(chain, rows, updateScores);
    const next = await measureStage(chain, rows, updateScores);
    const packed = await measureStage(chain, rows, updateScoresPacked);
    const unsorted = await measureStage(chain, makeRows(500, "account"), updateScores);
    const cases = [
      gasCase("first-sight-500", sight.first, newScorePerRow["500"], 0.2),
      gasCase("next-stage-500", next.first, sameAddressesNextStagePerRow, 0.2),
      gasCase("overwrite-500", next.again, overwritePerRow),
      gasCase("packed-next-stage-500", packed.first, sameAddressesNextStagePerRow, 0.15),
      gasCase("packed-overwrite-500", packed.again, overwritePerRow, 0.15),
      gasCase("unsorted-next-stage-500", unsorted.first, sameAddressesNextStagePerRow),
      gasCase("spread-overwrite-500-of-10000", await measureSpread(chain), overwritePerRow),
    ];
    for (const count of [1, 10, 100, 1_000, 2_000] as const) {
      const { first } = await measureStage(chain, sorted(makeRows(count, `of ${count}`)), updateScores);
      cases.push(gasCase(`first-sight-${count}`, first, newScorePerRow[count]));
    }
    return cases;
  } finally {
    await chain.close();
  }
}

/** Writes rows in a new stage, then again with other amounts; returns the gas per row of both. */
async function measureStage(chain: Chain, rows: readonly Row[], write: Write) {
  const first = await chain.write(rows, write);
  const again = await chain.write(changed(rows), write);
  await chain.finalize();
  return { first: first.gas / rows.length, again: again.gas / rows.length };
}

/** Returns the gas per row of writing 500 rows far apart among 10,000, so that no two share a page. */
async function measureSpread(chain: Chain): Promise<number> {
  const rows = sorted(makeRows(10_000, "of many"));
  for (let start = 0; start < rows.length; start += 2_000)
    await chain.write(rows.slice(start, start + 2_000), updateScores);
  const spread = changed(rows.filter((_, i) => i % 20 === 0));
  const { gas } = await chain.write(spread, updateScores);
  await chain.finalize();
  return gas / spread.length;
}

/** One score to write. */
interface Row {
  readonly account: Account;
  readonly score: bigint;
}

/** Creates the message that writes rows in a stage. */
type Write = (number: number, rows: readonly Row[]) => object;

const updateScores: Write = (number, rows) => ({
  update_scores: {
    stage: number,
    scores: rows.map(({ account, score }) => [formatBech32(account), Number(score)]),
  },
});

const updateScoresPacked: Write = (number, rows) => ({
  update_scores_packed: { stage: number, rows: packRows(rows).toString("base64") },
});

function makeRows(count: number, label: string): readonly Row[] {
  return Array.from({ length: count }, (_, i) => ({
    account: parseAccount(`0x${createHash("sha256").update(`${label} ${i}`).digest("hex").slice(0, 40)}`, {
      accountBytes: [20],
    }),
    score: BigInt(1_000 + i),
  }));
}

function changed(rows: readonly Row[]): readonly Row[] {
  return rows.map(({ account, score }) => ({ account, score: score + 1n }));
}

function sorted(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((a, b) => (a.account < b.account ? -1 : 1));
}

/** A chain with the contract, and the open stage. */
interface Chain {
  /** Writes rows in the open stage. */
  write(rows: readonly Row[], write: Write): Promise<Cost>;
  /** Finalizes the open stage, which opens the next. */
  finalize(): Promise<void>;
  close(): Promise<void>;
}

async function openChain(): Promise<Chain> {
  const node = await startVipnode({ vm: "wasm" });
  const { restUrl, rpcUrl, chainId } = node;
  try {
    const account = wasmAccount({ mnemonic: testAccounts.deployer.mnemonic });
    const { address } = await deployWasm({ rpcUrl, account, initStage: stage(1n) });
    const execute = async (content: object): Promise<Cost> => {
      const msg = Buffer.from(JSON.stringify(content)).toString("base64");
      const message = new MsgExecuteContract(account.address, address, msg, []).packAny();
      const { accountNumber, sequence } = await readSigner(restUrl, account.address);
      const unsigned = { message, chainId, accountNumber, sequence, gas: gasLimit, fee: undefined };
      return send(restUrl, await account.signTransaction(unsigned));
    };
    let open = 1;
    return {
      write: (rows, write) => execute(write(open, rows)),
      finalize: async () => {
        await execute({ finalize_stage: { stage: open } });
        open += 1;
      },
      close: () => node.stop(),
    };
  } catch (error) {
    await node.stop();
    throw error;
  }
}

/**
 * Encodes rows for `update_scores_packed` of the CosmWasm contract: for each row the length of the address in one
 * byte, the address, and the score in eight bytes, the highest first (contracts/wasm/SPEC.md).
 */
function packRows(rows: readonly ScoreRow[]): Buffer {
  return Buffer.concat(
    rows.map(({ account, score }) => {
      const address = Buffer.from(account.slice(2), "hex");
      const amount = Buffer.from(score.toString(16).padStart(16, "0"), "hex");
      return Buffer.from([address.length, ...address, ...amount]);
    }),
  );
}
