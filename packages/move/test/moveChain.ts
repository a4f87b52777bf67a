import { stage } from "@vipscore/core";
import { startVipnode, type CosmosNode, type StartVipnodeOptions } from "@vipscore/localnet";
import type { CosmosActor, CosmosChain } from "@vipscore/testkit/adapter/cosmosContract";
import { connectMove, deployMove, moveAminoAccount, readMoveChainId, type MoveAccount } from "../src/index.ts";
import { deployShape, freshAccount, fundAccount, newAccount } from "./testContract.ts";

/** A Move chain for the adapter suites. */
export interface MoveChain extends CosmosChain {
  readonly node: CosmosNode;
}

/** Options of {@link startMove}. */
interface StartMoveOptions extends Omit<StartVipnodeOptions, "vm"> {
  /** The interface that the adapter uses. Default: REST. */
  readonly over?: "restUrl" | "rpcUrl";
}

/** Starts a Move chain. */
export async function startMove({ over = "restUrl", ...options }: StartMoveOptions = {}): Promise<MoveChain> {
  const node = await startVipnode({ vm: "move", ...options });
  const at = (url = node[over]) => ({ [over]: url });
  const actorOf = (account: MoveAccount): CosmosActor => ({
    account: account.account,
    deployOurs: ({ onStep, ...wanted } = {}) =>
      deployMove({
        ...at(),
        account,
        initStage: stage(4n),
        onEvent: ({ step, status }) => onStep?.(`${step} ${status}`),
        // An offer of ownership requires an explicit policy.
        upgradePolicy: "compatible",
        ...wanted,
      }),
    deploy: async (shape) => {
      const { identity } = await deployShape(node, shape, account);
      return connectMove({ ...at(), address: identity.address, account });
    },
    connect: (address, { url, ...more } = {}) => connectMove({ ...at(url), address, account, ...more }),
  });
  return {
    vm: "move",
    node,
    chainId: node.chainId,
    url: node[over],
    forms: { address: /^0x[0-9a-f]{40}$/, hash: /^[0-9A-F]{64}$/ },
    reportsReasons: true,
    fund: async (coinType) => actorOf(await freshAccount(node, coinType)),
    fundAmino: async (signer) => actorOf(await fundAccount(node, moveAminoAccount(signer))),
    poor: () => actorOf(newAccount()),
    readChainId: (expectedChainId) => readMoveChainId({ ...at(), expectedChainId }),
    read: (address, { url, ...more } = {}) => connectMove({ ...at(url), address, ...more }),
    stop: () => node.stop(),
  };
}
