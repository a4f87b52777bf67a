import { stage } from "@vipscore/core";
import { startVipnode, type CosmosNode, type StartVipnodeOptions } from "@vipscore/localnet";
import type { CosmosActor, CosmosChain } from "@vipscore/testkit/adapter/cosmosContract";
import {
  connectMove,
  deployMove,
  moveAminoAccount,
  moveOfflineAccount,
  readMoveChainId,
  type MoveAccount,
  type MoveOfflineSigner,
} from "../src/index.ts";
import { deployShape, freshAccount, fundAccount, newAccount } from "./testContract.ts";

/** A Move chain for the adapter suites. */
export interface MoveChain extends CosmosChain {
  readonly node: CosmosNode;
}

/** Starts a Move chain. */
export async function startMove(options: Omit<StartVipnodeOptions, "vm"> = {}): Promise<MoveChain> {
  const node = await startVipnode({ vm: "move", ...options });
  const actorOf = (account: MoveAccount, signer: MoveAccount | MoveOfflineSigner = account): CosmosActor => ({
    account: account.account,
    deployOurs: ({ onStep, ...wanted } = {}) =>
      deployMove({
        restUrl: node.restUrl,
        account,
        initStage: stage(4n),
        onEvent: ({ step, status }) => onStep?.(`${step} ${status}`),
        // An offer of ownership requires an explicit policy.
        upgradePolicy: "compatible",
        ...wanted,
      }),
    deploy: (shape) => deployShape(node, shape, account),
    connect: (address, { url = node.restUrl, ...more } = {}) =>
      connectMove({ restUrl: url, address, account: signer, ...more }),
  });
  return {
    vm: "move",
    node,
    chainId: node.chainId,
    url: node.restUrl,
    forms: { address: /^0x[0-9a-f]{40}$/, hash: /^[0-9A-F]{64}$/ },
    reportsReasons: true,
    fund: async (coinType) => actorOf(await freshAccount(node, coinType)),
    fundAmino: async (signer) => actorOf(await fundAccount(node, moveAminoAccount(signer))),
    fundWallet: async (signer) => actorOf(await fundAccount(node, await moveOfflineAccount(signer)), signer),
    poor: () => actorOf(newAccount()),
    readChainId: (expectedChainId) => readMoveChainId({ restUrl: node.restUrl, expectedChainId }),
    read: (address, { url = node.restUrl, ...more } = {}) => connectMove({ restUrl: url, address, ...more }),
    stop: () => node.stop(),
  };
}
