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

/** Calls a method of a development node, whose accounts are unlocked. */
export type EvmRequest = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** A deployed contract that emits what it is given. */
export interface Emitter {
  readonly address: string;
  /** Emits a log in its own block; returns its height. */
  readonly emit: (...words: readonly string[]) => Promise<number>;
}

/** Deploys a contract whose logs have this many topics. */
export async function deployEmitter(request: EvmRequest, topics: 2 | 4): Promise<Emitter> {
  const [from] = (await request("eth_accounts", [])) as readonly string[];
  const send = async (call: object) => {
    const hash = await request("eth_sendTransaction", [{ from, ...call }]);
    const receipt = (await request("eth_getTransactionReceipt", [hash])) as {
      readonly status: string;
      readonly blockNumber: string;
      readonly contractAddress: string;
    };
    if (receipt.status !== "0x1") throw new Error(`transaction ${String(hash)} failed`);
    return receipt;
  };
  const { contractAddress: address } = await send({ data: emitterOf(topics) });
  return {
    address,
    emit: async (...words) => {
      const { blockNumber } = await send({ to: address, data: `0x${words.map((text) => text.slice(2)).join("")}` });
      return Number(blockNumber);
    },
  };
}

/** Emits what a trade does. */
export function emitTrade({ emit }: Emitter, account: `0x${string}`, volume: bigint): Promise<number> {
  return emit(toEventSelector(events.trade), pad(account), word(volume));
}

/** Starts Hardhat with two contracts: one emits the events of games and markets, the other those of NFTs. */
export async function startEvmActivity(): Promise<ActivityChain> {
  const chain = await createHardhatProvider();
  const request: EvmRequest = (method, params) => chain.request({ method, params });
  const server = await serveJsonRpc(request, 0);
  const activity = await deployEmitter(request, 2);
  const nfts = await deployEmitter(request, 4);
  return {
    vm: "evm",
    chainId: "31337",
    endpoint: ["--endpoint", server.url],
    contractOf: (example) => (example === "nft-holders" ? nfts : activity).address,
    act: (act: Act) => {
      const account = pad(act.account);
      if (act.kind === "mint") {
        return nfts.emit(toEventSelector(transfer), word(0n), account, word(BigInt(act.tokenId)));
      }
      if (act.kind === "play") {
        const action = encodeAbiParameters([{ type: "string" }], [act.action]);
        return activity.emit(toEventSelector("Played(address,string)"), account, action);
      }
      if (act.kind === "trade") return emitTrade(activity, act.account, act.amount);
      return activity.emit(toEventSelector(events[act.kind]), account, word(act.amount));
    },
    timeOf: async (height) => {
      const params = [`0x${height.toString(16)}`, false];
      const block = (await request("eth_getBlockByNumber", params)) as { readonly timestamp: string };
      return Number(block.timestamp);
    },
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await chain.close();
    },
  };
}
