import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A separate process that plays an EVM node with many logs: `eventsServer <logs>`. Each block has 100, in ten transactions.
 * Like minievm, it serves 500 blocks at once. Sends its URL to its parent, and ends with it.
 */
const logs = Number(process.argv[2]);
const logsPerBlock = 100;
const logsPerTransaction = 10;
const maxBlocks = 500;
/** Senders of the transfers that the logs are. */
const accounts = 100_000;
const topic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const address = `0x${"ab".repeat(20)}`;

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly [(string | { readonly fromBlock: string; readonly toBlock: string })?];
}

const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}`;
const quantity = (value: number) => `0x${value.toString(16)}`;

function logText(index: number): string {
  const height = Math.floor(index / logsPerBlock) + 1;
  const inBlock = index % logsPerBlock;
  const place = `"blockNumber":"${quantity(height)}","blockHash":"${word(height)}","logIndex":"${quantity(inBlock)}"`;
  const transactionIndex = Math.floor(inBlock / logsPerTransaction);
  const transaction = `"transactionHash":"${word(height * 1_000 + transactionIndex)}","transactionIndex":"${quantity(transactionIndex)}"`;
  const event = `"address":"${address}","topics":["${topic}","${word((index % accounts) + 1)}","${word(7)}"],"data":"${word(index)}"`;
  return `{${event},${place},${transaction},"removed":false}`;
}

function answer({ id, method, params: [first] }: Call): string {
  const open = `{"jsonrpc":"2.0","id":${id},`;
  if (first === undefined || typeof first === "string") {
    const height = Number(first);
    if (method === "eth_chainId") return `${open}"result":"0x1"}`;
    if (method === "eth_blockNumber") return `${open}"result":"${quantity(Math.ceil(logs / logsPerBlock))}"}`;
    const block = { number: first, hash: word(height), timestamp: quantity(1_700_000_000 + height), transactions: [] };
    return `${open}"result":${JSON.stringify(method === "eth_getBlockByNumber" ? block : null)}}`;
  }
  const [from, to] = [Number(first.fromBlock), Number(first.toBlock)];
  if (to - from >= maxBlocks) return `${open}"error":{"code":-32000,"message":"block range exceeded ${maxBlocks}"}}`;
  const texts: string[] = [];
  const end = Math.min(logs, to * logsPerBlock);
  for (let index = (from - 1) * logsPerBlock; index < end; index += 1) texts.push(logText(index));
  return `${open}"result":[${texts.join(",")}]}`;
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const asked = JSON.parse(Buffer.concat(chunks).toString()) as Call | readonly Call[];
    response.setHeader("content-type", "application/json");
    response.end("method" in asked ? answer(asked) : `[${asked.map(answer).join(",")}]`);
  });
});
server.listen(0, "127.0.0.1", () => {
  process.send?.({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    last: Math.ceil(logs / logsPerBlock),
  });
});
process.on("disconnect", () => process.exit(0));
