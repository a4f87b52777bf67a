import { encodeAbiParameters, pad, toEventSelector } from "viem";
import { createHardhatProvider, serveJsonRpc } from "@vipscore/localnet";
import type { Act, ActivityChain } from "./activity.ts";

/**
 * A contract without a compiler. Called with topics, as words, and then any number of further words, it emits one log with these
 * topics and the further words as data.
 */
function emitterOf(topics: 2 | 4): string {
  const bytes = hex(topics * 32);
  // From the last topic to the first, so that the first is on top.
  const load = Array.from({ length: topics }, (_, index) => `60${hex((topics - 1 - index) * 32)}35`);
  const runtime = [
    `60${bytes}360380`, // size of the data
    `60${bytes}5f37`, // memory = data
    ...load, // topics
    `8${topics}5fa${topics}00`, // log(memory[0..size], topics)
  ].join("");
  const length = runtime.length / 2;
  return `0x${hex(0x5f + length)}${runtime}5f5260${hex(length)}60${hex(32 - length)}f3`;
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}

const word = (value: bigint): `0x${string}` => pad(`0x${value.toString(16)}`);
const transfer = "Transfer(address,address,uint256)";
const events = {
  trade: "Traded(address,uint256)",
  supply: "Supplied(address,uint256)",
  withdraw: "Withdrawn(address,uint256)",
  borrow: "Borrowed(address,uint256)",
  repay: "Repaid(address,uint256)",
} as const;

/** Starts Hardhat with two contracts: one emits the events of games and markets, the other those of NFTs. */
export async function startEvmActivity(): Promise<ActivityChain> {
  const chain = await createHardhatProvider();
  const server = await serveJsonRpc((method, params) => chain.request({ method, params }), 0);
  const [from] = (await chain.request({ method: "eth_accounts" })) as readonly string[];
  const send = async (call: object) => {
    const hash = await chain.request({ method: "eth_sendTransaction", params: [{ from, ...call }] });
    const receipt = (await chain.request({ method: "eth_getTransactionReceipt", params: [hash] })) as {
      readonly status: string;
      readonly blockNumber: string;
      readonly contractAddress: string;
    };
    if (receipt.status !== "0x1") throw new Error(`transaction ${String(hash)} failed`);
    return receipt;
  };
  const { contractAddress: activity } = await send({ data: emitterOf(2) });
  const { contractAddress: nfts } = await send({ data: emitterOf(4) });
  const emit = async (to: string, ...words: readonly string[]) => {
    const { blockNumber } = await send({ to, data: `0x${words.map((text) => text.slice(2)).join("")}` });
    return Number(blockNumber);
  };
  return {
    vm: "evm",
    chainId: "31337",
    endpoint: ["--endpoint", server.url],
    contractOf: (example) => (example === "nft-holders" ? nfts : activity),
    act: (act: Act) => {
      const account = pad(act.account);
      if (act.kind === "mint") {
        return emit(nfts, toEventSelector(transfer), word(0n), account, word(BigInt(act.tokenId)));
      }
      if (act.kind === "play") {
        const action = encodeAbiParameters([{ type: "string" }], [act.action]);
        return emit(activity, toEventSelector("Played(address,string)"), account, action);
      }
      return emit(activity, toEventSelector(events[act.kind]), account, word(act.amount));
    },
    timeOf: async (height) => {
      const params = [`0x${height.toString(16)}`, false];
      const block = (await chain.request({ method: "eth_getBlockByNumber", params })) as { readonly timestamp: string };
      return Number(block.timestamp);
    },
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await chain.close();
    },
  };
}
