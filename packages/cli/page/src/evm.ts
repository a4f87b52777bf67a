import { createPublicClient, http, type Address } from "viem";
import { vipScoreAbi } from "@vipscore/contracts-evm/abi";
import type { Rollup } from "./rollup.ts";
import type { Row, Stage } from "./scores.ts";

const connect = ({ url }: Rollup) => createPublicClient({ transport: http(url) });
const contractOf = ({ contract }: Rollup) => ({ address: contract as Address, abi: vipScoreAbi });

export function readInitStage(rollup: Rollup): Promise<bigint> {
  return connect(rollup).readContract({ ...contractOf(rollup), functionName: "initStage" });
}

/** A stage that does not exist has the number 0. A reference contract has `stages` instead of `getStage`. */
export async function readStage(rollup: Rollup, stage: bigint): Promise<Stage> {
  const call = { ...contractOf(rollup), functionName: "getStage", args: [stage] } as const;
  const read = await connect(rollup).readContract(call);
  return { exists: read.stage === stage, total: read.totalScore, revision: read.revision };
}

export async function readScore(rollup: Rollup, stage: bigint, account: string): Promise<bigint | undefined> {
  const call = { ...contractOf(rollup), functionName: "scores", args: [stage, account as Address] } as const;
  const [isScored, amount] = await connect(rollup).readContract(call);
  return isScored ? amount : undefined;
}

/** All pages are of one block. A reference contract has `getScores` instead of `getScoresFrom`. */
export async function* readPages(rollup: Rollup, stage: bigint): AsyncGenerator<Row[]> {
  const client = connect(rollup);
  const blockNumber = await client.getBlockNumber();
  let fromId = 0;
  do {
    const args = [stage, fromId, BigInt(500)] as const; // Stays below the gas that nodes allow a call.
    const call = { ...contractOf(rollup), functionName: "getScoresFrom", args, blockNumber } as const;
    const [rows, nextId] = await client.readContract(call);
    yield rows.map(({ addr, amount }) => ({ account: addr.toLowerCase(), score: amount }));
    fromId = nextId;
  } while (fromId !== 0);
}
