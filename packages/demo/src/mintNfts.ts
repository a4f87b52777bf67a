import { createHash } from "node:crypto";
import { createWalletClient, http, publicActions, type Address } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { readDemoNft, testAccounts, type LocalNode } from "@vipscore/localnet";

/** A collection on a local EVM chain, and how many tokens each owner has. */
export interface MintedNfts {
  readonly collection: Address;
  /** Tokens of each owner, by lower-case address. */
  readonly held: ReadonlyMap<string, number>;
  /** The block after which it did not change. */
  readonly height: number;
}

/** Tokens per transaction; some 30,000 gas each. */
const tokensPerTransaction = 200;

/**
 * Mints tokens to seeded owners, the first with the most, and one token to a contract, as if listed on a marketplace.
 */
export async function mintNfts(node: LocalNode, seed: number, owners: number): Promise<MintedNfts> {
  const account = privateKeyToAccount(testAccounts.deployer.privateKey);
  const wallet = createWalletClient({ account, transport: http(node.rpcUrl), pollingInterval: 20 }).extend(
    publicActions,
  );
  const { abi, bytecode } = await readDemoNft();
  const deployed = await wallet.deployContract({ abi, bytecode, args: ["Good Cats", "CAT"], chain: null });
  const { contractAddress: collection } = await wallet.waitForTransactionReceipt({ hash: deployed });
  if (collection === null || collection === undefined) throw new Error("the collection was not deployed");

  const held = new Map<string, number>(
    Array.from({ length: owners }, (_, index) => [ownerAt(seed, index), Math.ceil(owners / (index + 1))]),
  );
  held.set(collection.toLowerCase(), 1);
  const receivers = [...held].flatMap(([owner, tokens]) => Array.from({ length: tokens }, () => owner));
  let height = 0n;
  for (let first = 0; first < receivers.length; first += tokensPerTransaction) {
    const to = receivers.slice(first, first + tokensPerTransaction);
    const hash = await wallet.writeContract({
      address: collection,
      abi,
      functionName: "mint",
      args: [to],
      chain: null,
    });
    height = (await wallet.waitForTransactionReceipt({ hash })).blockNumber;
  }
  return { collection, held, height: Number(height) };
}

function ownerAt(seed: number, index: number): string {
  return `0x${createHash("sha256").update(`vipscore demo owner ${seed} ${index}`).digest("hex").slice(0, 40)}`;
}
