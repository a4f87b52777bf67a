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
  /** Rows written to stage 1, according to the chain's events. */
  countWrittenRows(address: string): Promise<number>;
  stop(): Promise<void>;
}

const { privateKey, mnemonic } = testAccounts.deployer;

/** The chains by VM; each starts a fresh one. */
export const crashChains: Readonly<Record<string, () => Promise<CrashChain>>> = {
  EVM: async () => {
    const node = await startHardhat();
    const { rpcUrl } = node;
    const account = privateKeyToAccount(privateKey);
    return {
      env: { JSON_RPC_URL: rpcUrl, PRIVATE_KEY: privateKey },
      linesBetweenKills: 24,
      connect: (address) => connectEvm({ rpcUrl, address, account }),
      countWrittenRows: () => countUpdateEvents(rpcUrl),
      stop: () => node.stop(),
    };
  },
  Move: async () => {
    const node = await startVipnode({ vm: "move" });
    const { restUrl } = node;
    const account = moveAccount({ mnemonic });
    return {
      env: { REST_URL: restUrl, MNEMONIC: mnemonic },
      linesBetweenKills: 7,
      connect: (address) => connectMove({ restUrl, address, account }),
      countWrittenRows: (address) =>
        countEvents(
          node.rpcUrl,
          (event) =>
            attributeOf(event, "move", "type_tag") === `${address}::vip_score::UpdateScoreEvent` &&
            attributeOf(event, "move", "stage") === "1",
        ),
      stop: () => node.stop(),
    };
  },
  Wasm: async () => {
    const node = await startVipnode({ vm: "wasm" });
    const { rpcUrl } = node;
    const account = wasmAccount({ mnemonic });
    return {
      env: { RPC_NODE_URL: rpcUrl, MNEMONIC: mnemonic },
      linesBetweenKills: 24,
      connect: (address) => connectWasm({ rpcUrl, address, account }),
      countWrittenRows: (address) =>
        countEvents(
          rpcUrl,
          (event) =>
            attributeOf(event, "wasm-update-score", "_contract_address") === address &&
            attributeOf(event, "wasm-update-score", "stage") === "1",
        ),
      stop: () => node.stop(),
    };
  },
};

async function countUpdateEvents(rpcUrl: string): Promise<number> {
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: hangBoundMs }) });
  const event = parseAbiItem(
    "event UpdateScore(address indexed addr, uint64 indexed stage, uint64 score, uint64 totalScore)",
  );
  let count = 0;
  const last = await client.getBlockNumber();
  for (let from = 0n; from <= last; from += 20n) {
    const to = from + 19n > last ? last : from + 19n;
    count += (await client.getLogs({ event, fromBlock: from, toBlock: to })).length;
  }
  return count;
}

/** Counts the events in all transactions of the test deployer, on a Cosmos chain. */
async function countEvents(rpcUrl: string, isRow: (event: TransactionEvent) => boolean): Promise<number> {
  const sender = formatBech32(parseAccount(testAccounts.deployer.address, { accountBytes: [20] }));
  const { succeeded } = await readSentTransactions(rpcUrl, sender);
  return succeeded.flatMap(({ events }) => events).filter(isRow).length;
}
