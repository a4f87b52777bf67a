import { encodeAbiParameters, pad, toEventSelector } from "viem";
import { createHardhatProvider, serveJsonRpc } from "@vipscore/localnet";
import { deployEmitter, type Emitter, type EvmRequest } from "@vipscore/testkit/eventEmitter";
import type { Act, ActivityChain } from "./activity.ts";

const word = (value: bigint): `0x${string}` => pad(`0x${value.toString(16)}`);
const transfer = "Transfer(address,address,uint256)";
const events = {
  trade: "Traded(address,uint256)",
  supply: "Supplied(address,uint256)",
  withdraw: "Withdrawn(address,uint256)",
  borrow: "Borrowed(address,uint256)",
  repay: "Repaid(address,uint256)",
} as const;

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
