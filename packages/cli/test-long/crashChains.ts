import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPublicClient, http, parseAbiItem } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { formatBech32, parseAccount, type ScoreContract } from "@vipscore/core";
import { connectEvm } from "@vipscore/evm";
import { startHardhat, startVipnode, testAccounts } from "@vipscore/localnet";
import { connectMove, moveAccount } from "@vipscore/move";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { connectWasm, wasmAccount } from "@vipscore/wasm";
import { attributeOf, readSentTransactions, type TransactionEvent } from "./sentTransactions.ts";

/** A local chain for the crash test, with the differences between VMs. */
export interface CrashChain {
  /** The command's environment: the chain's endpoint and the key. */
  readonly env: Readonly<Record<string, string>>;
  /** Maximum number of journal lines between two kills, so that ten kills fit into one push. */
  readonly linesBetweenKills: number;
  connect(address: string): Promise<ScoreContract>;
  /** Rows written to a stage, according to the chain's events. */
  countWrittenRows(address: string, stage: bigint): Promise<number>;
  /** Restarts the node, whose mempool is then empty; undefined if it keeps no state. */
  restart?(): Promise<void>;
  stop(): Promise<void>;
}

export interface CrashChainOptions {
  /** Milliseconds between blocks. Default: a block as soon as a transaction waits. */
  readonly blockTimeMs?: number;
}

const { privateKey, mnemonic } = testAccounts.deployer;

/** The chains by VM; each starts a fresh one. */
export const crashChains: Readonly<Record<string, (options?: CrashChainOptions) => Promise<CrashChain>>> = {
  EVM: async (options = {}) => {
    const node = await startHardhat(options);
    const { rpcUrl } = node;
    const account = privateKeyToAccount(privateKey);
    return {
      env: { JSON_RPC_URL: rpcUrl, PRIVATE_KEY: privateKey },
      linesBetweenKills: 24,
      connect: (address) => connectEvm({ rpcUrl, address, account }),
      countWrittenRows: (_, stage) => countUpdateEvents(rpcUrl, stage),
      stop: () => node.stop(),
    };
  },
  Move: async (options = {}) => {
    const node = await startRestartable({ ...options, vm: "move" });
    const { restUrl, rpcUrl } = node;
    const account = moveAccount({ mnemonic });
    return {
      ...node,
      env: { REST_URL: restUrl, MNEMONIC: mnemonic },
      linesBetweenKills: 7,
      connect: (address) => connectMove({ restUrl, address, account }),
      countWrittenRows: (address, stage) =>
        countEvents(
          rpcUrl,
          (event) =>
            attributeOf(event, "move", "type_tag") === `${address}::vip_score::UpdateScoreEvent` &&
            attributeOf(event, "move", "stage") === `${stage}`,
        ),
    };
  },
  Wasm: async (options = {}) => {
    const node = await startRestartable({ ...options, vm: "wasm" });
    const { rpcUrl } = node;
    const account = wasmAccount({ mnemonic });
    return {
      ...node,
      env: { RPC_NODE_URL: rpcUrl, MNEMONIC: mnemonic },
      linesBetweenKills: 24,
      connect: (address) => connectWasm({ rpcUrl, address, account }),
      countWrittenRows: (address, stage) =>
        countEvents(
          rpcUrl,
          (event) =>
            attributeOf(event, "wasm-update-score", "_contract_address") === address &&
            attributeOf(event, "wasm-update-score", "stage") === `${stage}`,
        ),
    };
  },
};

/** Starts a node that keeps its state and its ports. */
async function startRestartable(options: CrashChainOptions & { readonly vm: "move" | "wasm" }) {
  const home = mkdtempSync(join(tmpdir(), "vipscore-crash-node-"));
  let node = await startVipnode({ ...options, home });
  const { restUrl, rpcUrl } = node;
  const ports = { restPort: Number(new URL(restUrl).port), rpcPort: Number(new URL(rpcUrl).port) };
  return {
    restUrl,
    rpcUrl,
    restart: async () => {
      await node.stop();
      node = await startVipnode({ ...options, ...ports, home });
    },
    stop: async () => {
      await node.stop();
      rmSync(home, { recursive: true });
    },
  };
}

async function countUpdateEvents(rpcUrl: string, stage: bigint): Promise<number> {
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: hangBoundMs }) });
  const event = parseAbiItem(
    "event UpdateScore(address indexed addr, uint64 indexed stage, uint64 score, uint64 totalScore)",
  );
  let count = 0;
  const last = await client.getBlockNumber();
  for (let from = 0n; from <= last; from += 20n) {
    const to = from + 19n > last ? last : from + 19n;
    count += (await client.getLogs({ event, args: { stage }, fromBlock: from, toBlock: to })).length;
  }
  return count;
}

/** Counts the events in all transactions of the test deployer, on a Cosmos chain. */
async function countEvents(rpcUrl: string, isRow: (event: TransactionEvent) => boolean): Promise<number> {
  const sender = formatBech32(parseAccount(testAccounts.deployer.address, { accountBytes: [20] }));
  const { succeeded } = await readSentTransactions(rpcUrl, sender);
  return succeeded.flatMap(({ events }) => events).filter(isRow).length;
}
