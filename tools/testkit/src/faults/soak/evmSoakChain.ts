import { createPublicClient, getAddress, http, numberToHex, parseEther, parseGwei } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { parseAccount, stage } from "@vipscore/core";
import { connectEvm, deployEvm, vipScoreAbi } from "@vipscore/evm";
import { startHardhat } from "@vipscore/localnet";
import { balanceEvm, evmReplica } from "../../balancer/balanceEvm.ts";
import { answerRpc, rpcOf, splitCalls } from "../../proxy/rpcCalls.ts";
import { evmProtocol } from "../nodeProtocol.ts";
import type { SoakChain } from "./soakChain.ts";

/** Far above the price of any push, even if the base fee jumps. */
const balance = numberToHex(parseEther("1000000"));

/** Starts a Hardhat chain. */
export async function startEvmSoakChain(blockTimeMs: number): Promise<SoakChain> {
  const node = await startHardhat({ blockTimeMs });
  const { rpcUrl } = node;
  const call = rpcOf(rpcUrl);
  return {
    vm: "evm",
    endpoint: rpcUrl,
    protocol: evmProtocol,
    blockGas: 2_500_000n,
    environment: (endpoint, key) => ({ JSON_RPC_URL: endpoint, PRIVATE_KEY: key }),
    fund: async (keys) => {
      for (const key of keys) await call("hardhat_setBalance", [privateKeyToAccount(key).address, balance]);
    },
    deploy: async (key) => {
      const account = privateKeyToAccount(key);
      return (await deployEvm({ rpcUrl, account, initStage: stage(1n) })).address;
    },
    connect: (address, key, endpoint = rpcUrl) =>
      connectEvm({ rpcUrl: endpoint, address, account: privateKeyToAccount(key) }),
    readWrites: async (address) => {
      const logs = await createPublicClient({ transport: http(rpcUrl) }).getContractEvents({
        address: getAddress(address),
        abi: vipScoreAbi,
        eventName: "UpdateScore",
        fromBlock: 0n,
        strict: true,
      });
      return logs.map(({ args, transactionHash: hash }) => ({
        account: parseAccount(args.addr, { accountBytes: [20] }),
        hash,
      }));
    },
    answerOld: ({ body }, head) => {
      const readsState = ({ method, params }: { readonly method: string; readonly params: unknown }): boolean =>
        ["eth_call", "eth_getTransactionCount"].includes(method) && String((params as unknown[])[1]).startsWith("0x");
      if (!splitCalls(body).calls.every(readsState)) return undefined;
      return () => answerRpc(body, evmReplica(call, { head, flavor: "silent" }));
    },
    startStale: (lagMs) => balanceEvm({ upstreamUrl: rpcUrl, lagsMs: [lagMs], seed: 0, flavor: "geth" }),
    jumpBaseFee: async (gwei) => {
      await call("hardhat_setNextBlockBaseFeePerGas", [numberToHex(parseGwei(String(gwei)))]);
    },
    stop: () => node.stop(),
  };
}
