import { parseAccount, stage, type Account } from "@vipscore/core";
import { startVipnode, type Mempool } from "@vipscore/localnet";
import { connectMove, deployMove, moveAccount } from "@vipscore/move";
import { balanceRest } from "../../balancer/balanceRest.ts";
import { forward } from "../../proxy/startProxy.ts";
import { restProtocol } from "../nodeProtocol.ts";
import { fundCosmos, readCosmosWrites, type AccountsOf } from "./cosmosWrites.ts";
import type { SoakChain } from "./soakChain.ts";

const addressBytes = 32;
const heightHeader = "x-cosmos-block-height";

export async function startMoveSoakChain(blockTimeMs: number, mempool: Mempool): Promise<SoakChain> {
  const node = await startVipnode({ vm: "move", blockTimeMs, mempool });
  const { restUrl } = node;
  return {
    vm: "move",
    mempool,
    endpoint: restUrl,
    protocol: restProtocol,
    blockGas: 200_000n,
    environment: (endpoint, key) => ({ REST_URL: endpoint, PRIVATE_KEY: key }),
    fund: (keys) =>
      fundCosmos(
        node,
        keys.map((privateKey) => moveAccount({ privateKey }).address),
      ),
    deploy: async (privateKey) => {
      const account = moveAccount({ privateKey });
      return (await deployMove({ restUrl, account, initStage: stage(1n) })).address;
    },
    connect: (address, privateKey, endpoint = restUrl) =>
      connectMove({ restUrl: endpoint, address, account: moveAccount({ privateKey }) }),
    readWrites: (_address, privateKey) => readCosmosWrites(restUrl, moveAccount({ privateKey }).address, accountsOf),
    answerOld: (request, height) => {
      const { headers } = request;
      if (headers[heightHeader] === undefined) return undefined;
      return () => forward(restUrl, { ...request, headers: { ...headers, [heightHeader]: String(height) } });
    },
    startStale: (lagMs) => balanceRest({ upstreamUrl: restUrl, lagsMs: [lagMs], seed: 0 }),
    stop: () => node.stop(),
  };
}

/** The accounts of `update_score_script(stage, accounts, scores)`, whose arguments are BCS in base64. */
const accountsOf: AccountsOf = ({ "@type": type, function_name: name, args }) => {
  if (type !== "/initia.move.v1.MsgExecute" || name !== "update_score_script" || !Array.isArray(args)) return [];
  const bytes = Buffer.from(String(args[1]), "base64");
  const [count, start] = readLength(bytes);
  return Array.from({ length: count }, (_, index): Account => {
    const end = start + (index + 1) * addressBytes;
    return parseAccount(`0x${bytes.toString("hex", end - addressBytes, end)}`, { accountBytes: [20, 32] });
  });
};

/** Reads a length in ULEB128 and returns where it ends. */
function readLength(bytes: Buffer): readonly [length: number, end: number] {
  let length = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    length += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return [length, index + 1];
  }
  throw new Error("a vector has no length");
}
