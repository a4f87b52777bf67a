import { parseAccount, stage } from "@vipscore/core";
import { isObject } from "@vipscore/core/wire";
import { startVipnode, type Mempool } from "@vipscore/localnet";
import { connectWasm, deployWasm, wasmAccount } from "@vipscore/wasm";
import { balanceComet } from "../../balancer/balanceComet.ts";
import { answerRpc, rpcOf, type RpcCall } from "../../proxy/rpcCalls.ts";
import { cometProtocol } from "../nodeProtocol.ts";
import { fundCosmos, readCosmosWrites, type AccountsOf } from "./cosmosWrites.ts";
import type { SoakChain } from "./soakChain.ts";

export async function startWasmSoakChain(blockTimeMs: number, mempool: Mempool): Promise<SoakChain> {
  const node = await startVipnode({ vm: "wasm", blockTimeMs, mempool });
  const { restUrl, rpcUrl } = node;
  return {
    vm: "wasm",
    mempool,
    endpoint: rpcUrl,
    protocol: cometProtocol,
    blockGas: 300_000n,
    environment: (endpoint, key) => ({ RPC_NODE_URL: endpoint, PRIVATE_KEY: key }),
    fund: (keys) =>
      fundCosmos(
        node,
        keys.map((privateKey) => wasmAccount({ privateKey }).address),
      ),
    deploy: async (privateKey) => {
      const account = wasmAccount({ privateKey });
      return (await deployWasm({ rpcUrl, account, initStage: stage(1n) })).address;
    },
    connect: (address, privateKey, endpoint = rpcUrl) =>
      connectWasm({ rpcUrl: endpoint, address, account: wasmAccount({ privateKey }) }),
    readWrites: (_address, privateKey) => readCosmosWrites(restUrl, wasmAccount({ privateKey }).address, accountsOf),
    answerOld: ({ body }, height) => {
      const call = JSON.parse(body) as RpcCall<{ readonly height?: string }>;
      const { height: asked = "0" } = call.params ?? {};
      if (call.method !== "abci_query" || asked === "0") return undefined;
      return () =>
        answerRpc(body, async (method, params) => {
          const { response } = (await rpcOf(rpcUrl)(method, { ...(params as object), height: String(height) })) as {
            readonly response: object;
          };
          return { response: { ...response, height: asked } };
        });
    },
    startStale: (lagMs) => balanceComet({ upstreamUrl: rpcUrl, lagsMs: [lagMs], seed: 0 }),
    stop: () => node.stop(),
  };
}

/** The accounts of `{ update_scores: { stage, scores: [[address, score]] } }`. */
const accountsOf: AccountsOf = ({ "@type": type, msg }) => {
  if (type !== "/cosmwasm.wasm.v1.MsgExecuteContract" || !isObject(msg) || !isObject(msg["update_scores"])) return [];
  const { scores } = msg["update_scores"];
  if (!Array.isArray(scores)) return [];
  return (scores as readonly (readonly [string, number])[]).map(([address]) =>
    parseAccount(address, { accountBytes: [20, 32] }),
  );
};
