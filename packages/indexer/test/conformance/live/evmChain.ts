import {
  createPublicClient,
  encodeDeployData,
  encodeFunctionData,
  http,
  zeroAddress,
  type Address,
  type Hex,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { testAccounts } from "@vipscore/localnet";
import { compileSolidity } from "@vipscore/testkit/compileSolidity";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { receiptOf } from "@vipscore/testkit/receiptOf";
import { startAnvil } from "@vipscore/testkit/startAnvil";
import type { HexAddress } from "../../../src/index.ts";
import {
  friend,
  inParts,
  stranger,
  type LiveChain,
  type Mark,
  type Party,
  type Signer,
  type Step,
} from "./liveChain.ts";

/** Below the limit of a block. */
const gas = 100_000_000n;
const maxFeePerGas = 100_000_000_000n;

/** Starts anvil, which makes a block for each transaction, with collections of Collection.sol. */
export async function startEvmChain(): Promise<LiveChain> {
  const { Collection } = await compileSolidity(new URL("Collection.sol", import.meta.url));
  if (Collection === undefined) throw new Error("Collection.sol has no Collection");
  const { abi, bytecode } = Collection;
  const node = await startAnvil();
  const client = createPublicClient({ transport: http(node.rpcUrl, { timeout: hangBoundMs }) });
  const chainId = await client.getChainId();
  const nonces = { deployer: 0, operator: 0 };
  const addresses = new Map<string, HexAddress>();

  const send = async (signer: Signer, call: { readonly to?: Address; readonly data: Hex }) => {
    const nonce = nonces[signer]++;
    const fees = { gas, maxFeePerGas, maxPriorityFeePerGas: 0n };
    const account = privateKeyToAccount(testAccounts[signer].privateKey);
    const signed = await account.signTransaction({ type: "eip1559", chainId, nonce, ...fees, ...call });
    const hash = await client.sendRawTransaction({ serializedTransaction: signed });
    const { status, blockNumber, contractAddress } = await receiptOf(client, hash);
    if (status !== "success") throw new Error(`transaction ${hash} failed`);
    return { mark: { height: Number(blockNumber), txHash: hash }, contractAddress };
  };
  const deploy = async (name: string) => {
    const data = encodeDeployData({ abi, bytecode, args: [name] });
    const { mark, contractAddress } = await send("deployer", { data });
    if (!contractAddress) throw new Error("nothing was deployed");
    const address = contractAddress.toLowerCase() as HexAddress;
    addresses.set(name, address);
    return { address, mark };
  };
  const addressOf = (party: Party): HexAddress => {
    if (party === "friend") return friend;
    if (party === "stranger") return stranger;
    const [contract] = addresses.values();
    const address = party === "contract" ? contract : testAccounts[party].address;
    if (address === undefined) throw new Error("there is no contract yet");
    return address.toLowerCase() as HexAddress;
  };
  const argumentOf = (step: Exclude<Step, { readonly kind: "handOver" }>) => ({
    from: step.kind === "mint" ? zeroAddress : addressOf(step.from),
    to: step.kind === "burn" ? zeroAddress : addressOf(step.to),
    id: BigInt(step.tokenId),
    uri: step.kind === "mint" ? step.uri : "",
  });
  return {
    source: { jsonRpcUrl: node.rpcUrl },
    addressOf,
    create: deploy,
    play: async (signer, steps) => {
      const marks: Mark[] = [];
      for (const part of inParts(steps, ({ kind, collection }) => `${kind === "handOver"}/${collection}`)) {
        const [first] = part;
        const to = addresses.get(first?.collection ?? "");
        if (first === undefined || to === undefined) throw new Error(`unknown collection ${first?.collection}`);
        const data =
          first.kind === "handOver"
            ? encodeFunctionData({ abi, functionName: "handOver", args: [addressOf(first.to)] })
            : encodeFunctionData({
                abi,
                functionName: "play",
                args: [part.flatMap((step) => (step.kind === "handOver" ? [] : [argumentOf(step)]))],
              });
        const { mark } = await send(signer, { to, data });
        marks.push(...part.map(() => mark));
      }
      return marks;
    },
    objectOf: () => undefined,
    timeOf: async (height) => {
      const { timestamp } = await client.getBlock({ blockNumber: BigInt(height) });
      return new Date(Number(timestamp) * 1_000).toISOString();
    },
    [Symbol.asyncDispose]: () => node.stop(),
  };
}
