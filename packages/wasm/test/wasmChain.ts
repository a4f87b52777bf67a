import { stage } from "@vipscore/core";
import { startVipnode, type CosmosNode, type StartVipnodeOptions } from "@vipscore/localnet";
import type { CosmosActor, CosmosChain } from "@vipscore/testkit/adapter/cosmosContract";
import { connectWasm, deployWasm, readWasmChainId, wasmAminoAccount, type WasmAccount } from "../src/index.ts";
import { deployShape, freshAccount, fundAccount, newAccount } from "./testContract.ts";

/** A Wasm chain for the adapter suites. */
export interface WasmChain extends CosmosChain {
  readonly node: CosmosNode;
}

/** Starts a Wasm chain. */
export async function startWasm(options: Omit<StartVipnodeOptions, "vm"> = {}): Promise<WasmChain> {
  const node = await startVipnode({ vm: "wasm", ...options });
  const actorOf = (account: WasmAccount): CosmosActor => ({
    account: account.account,
    deployOurs: ({ onStep, ...wanted } = {}) =>
      deployWasm({
        rpcUrl: node.rpcUrl,
        account,
        initStage: stage(4n),
        onEvent: ({ step, status }) => onStep?.(`${step} ${status}`),
        // An offer of ownership requires an explicit admin.
        admin: account.account,
        ...wanted,
      }),
    deploy: (shape) => deployShape(node, shape, account),
    connect: (address, { url = node.rpcUrl, ...more } = {}) => connectWasm({ rpcUrl: url, address, account, ...more }),
  });
  return {
    vm: "wasm",
    node,
    chainId: node.chainId,
    url: node.rpcUrl,
    forms: { address: /^init1[a-z0-9]{58}$/, hash: /^[0-9A-F]{64}$/ },
    reportsReasons: true,
    fund: async (coinType) => actorOf(await freshAccount(node, coinType)),
    fundAmino: async (signer) => actorOf(await fundAccount(node, wasmAminoAccount(signer))),
    poor: () => actorOf(newAccount()),
    readChainId: (expectedChainId) => readWasmChainId({ rpcUrl: node.rpcUrl, expectedChainId }),
    read: (address, { url = node.rpcUrl, ...more } = {}) => connectWasm({ rpcUrl: url, address, ...more }),
    stop: () => node.stop(),
  };
}
