import { readFile } from "node:fs/promises";
import { SigningCosmWasmClient } from "@cosmjs/cosmwasm-stargate";
import { DirectSecp256k1HdWallet } from "@cosmjs/proto-signing";
import { testAccounts, type CosmosNode } from "@vipscore/localnet";
import { hangBoundMs } from "@vipscore/testkit/hangBound";

const fee = { amount: [], gas: "20000000" };

/** A contract in bech32 and the message to it. */
export type ContractCall = readonly [contract: string, message: object];

/** A contract of the fixture, and the account that signs for it. */
export interface WasmWallet {
  /** In bech32. */
  readonly address: string;
  /** Instantiates the fixture's code; returns the contract's address in bech32. */
  readonly make: (message: object) => Promise<string>;
  /** Calls contracts in one transaction, which must succeed; returns its hash. */
  readonly call: (...calls: readonly ContractCall[]) => Promise<string>;
  /** Queries a contract. */
  readonly query: <T>(contract: string, message: object) => Promise<T>;
  readonly client: SigningCosmWasmClient;
}

/** The message that creates an instance of cw721-base in which `minter` may mint. */
export function nftContract(name: string, minter: string): object {
  const absent = { creator: null, withdraw_address: null, collection_info_extension: null };
  return { name, symbol: "TEST", minter, ...absent };
}

/** The message that creates an instance with scripted answers by query name: texts, or values to send as JSON. */
export function scriptedContract(answers: Readonly<Record<string, unknown>>): object {
  const isRaw = (answer: unknown) => typeof answer === "string" || Buffer.isBuffer(answer);
  const entries = Object.entries(answers).map(([query, answer]) => {
    const bytes = Buffer.from((isRaw(answer) ? answer : JSON.stringify(answer)) as string);
    return [query, bytes.toString("base64")] as const;
  });
  return { answers: Object.fromEntries(entries) };
}

/** The message that mints a token, without a URI if that is undefined. */
export function mint(tokenId: string, owner: string, uri?: string): object {
  return { mint: { token_id: tokenId, owner, token_uri: uri ?? null, extension: null } };
}

/** Opens a wallet of a funded account on a chain, and stores the fixture's code there. */
export async function openWasmWallet(
  chain: CosmosNode,
  name: keyof typeof testAccounts = "deployer",
): Promise<WasmWallet> {
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(testAccounts[name].mnemonic, { prefix: "init" });
  const [account] = await wallet.getAccounts();
  if (account === undefined) throw new Error("the wallet has no account");
  const { address } = account;
  const client = await SigningCosmWasmClient.connectWithSigner(chain.rpcUrl, wallet, {
    broadcastPollIntervalMs: 20,
    broadcastTimeoutMs: hangBoundMs,
  });
  const path = "../../../../contracts/wasm/cw721_fixture/artifacts/cw721_fixture.wasm";
  const { codeId } = await client.upload(address, await readFile(new URL(path, import.meta.url)), fee);
  return {
    address,
    client,
    make: async (message) => (await client.instantiate(address, codeId, message, "fixture", fee)).contractAddress,
    call: async (...calls) => {
      const messages = calls.map(([contractAddress, msg]) => ({ contractAddress, msg }));
      return (await client.executeMultiple(address, messages, fee)).transactionHash;
    },
    query: (contract, message) => client.queryContractSmart(contract, message),
  };
}
