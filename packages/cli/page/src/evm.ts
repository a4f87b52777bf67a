import { createClient, http, type Address } from "viem";
import { getBlockNumber, readContract } from "viem/actions";
import { vipScoreAbi } from "@vipscore/contracts-evm/abi";
import type { Rollup } from "./rollup.ts";
import type { Row, Stage } from "./scores.ts";

// Of a client with all actions, a page would load 90 kB.
const connect = ({ url }: Rollup) => createClient({ transport: http(url) });
const contractOf = ({ contract }: Rollup) => ({ address: contract as Address, abi: vipScoreAbi });

export function readInitStage(rollup: Rollup): Promise<bigint> {
  return readContract(connect(rollup), { ...contractOf(rollup), functionName: "initStage" });
}

/** A stage that does not exist has the number 0. A reference contract has `stages` instead of `getStage`. */
export async function readStage(rollup: Rollup, stage: bigint): Promise<Stage> {
  const call = { ...contractOf(rollup), functionName: "getStage", args: [stage] } as const;
  const read = await readContract(connect(rollup), call);
  return { exists: read.stage === stage, total: read.totalScore, revision: read.revision };
}

export async function readScore(rollup: Rollup, stage: bigint, account: string): Promise<bigint | undefined> {
  const call = { ...contractOf(rollup), functionName: "scores", args: [stage, account as Address] } as const;
  const [isScored, amount] = await readContract(connect(rollup), call);
  return isScored ? amount : undefined;
}

/** All pages are of one block. A reference contract has `getScores` instead of `getScoresFrom`. */
export async function* readPages(rollup: Rollup, stage: bigint): AsyncGenerator<Row[]> {
  const client = connect(rollup);
  const blockNumber = await getBlockNumber(client);
  let fromId = 0;
  do {
    const args = [stage, fromId, BigInt(500)] as const; // Stays below the gas that nodes allow a call.
    const call = { ...contractOf(rollup), functionName: "getScoresFrom", args, blockNumber } as const;
    const [rows, nextId] = await readContract(client, call);
    yield rows.map(({ addr, amount }) => ({ account: addr.toLowerCase(), score: amount }));
    fromId = nextId;
  } while (fromId !== 0);
}
