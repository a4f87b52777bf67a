import { readFile } from "node:fs/promises";
import { SigningCosmWasmClient } from "@cosmjs/cosmwasm-stargate";
import { DirectSecp256k1HdWallet } from "@cosmjs/proto-signing";
import { formatBech32, parseAccount } from "@vipscore/core";
import { decodeAddress } from "@vipscore/indexer-client/address";
import { startVipnode, testAccounts } from "@vipscore/localnet";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import type { HexAddress } from "../../../src/index.ts";
import { friend, stranger, type LiveChain, type Party, type Signer, type Step } from "./liveChain.ts";

const fee = { amount: [], gas: "2000000000" };
const fixture = new URL("../../../../../contracts/wasm/cw721_fixture/artifacts/cw721_fixture.wasm", import.meta.url);

/** Starts vipnode with CosmWasm and collections of cw721-base; "contract" is a contract that accepts tokens. */
export async function startWasmChain(): Promise<LiveChain> {
  const node = await startVipnode({ vm: "wasm" });
  const clients = {
    deployer: await openClient(node.rpcUrl, "deployer"),
    operator: await openClient(node.rpcUrl, "operator"),
  };
  const { client, address: creator } = clients.deployer;
  const { codeId } = await client.upload(creator, await readFile(fixture), fee);
  const addresses = new Map<string, string>();

  const instantiate = async (message: object) => {
    const { contractAddress, height, transactionHash } = await client.instantiate(creator, codeId, message, "c", fee);
    return { contractAddress, mark: { height, txHash: transactionHash } };
  };
  const execute = async (signer: Signer, calls: readonly (readonly [contract: string, message: object])[]) => {
    const messages = calls.map(([contractAddress, msg]) => ({ contractAddress, msg }));
    const { height, transactionHash } = await clients[signer].client.executeMultiple(
      clients[signer].address,
      messages,
      fee,
    );
    return { height, txHash: transactionHash };
  };
  const receiver = decodeAddress((await instantiate({ answers: {} })).contractAddress);

  const addressOf = (party: Party): HexAddress => {
    if (party === "friend") return friend;
    if (party === "stranger") return stranger;
    return party === "contract" ? receiver : decodeAddress(clients[party].address);
  };
  const bech32Of = (party: Party) => formatBech32(parseAccount(addressOf(party), { accountBytes: [20, 32] }));
  const messageOf = (step: Step): object => {
    if (step.kind === "handOver") {
      return ownership({ transfer_ownership: { new_owner: bech32Of(step.to), expiry: null } });
    }
    const token = { token_id: step.tokenId };
    if (step.kind === "burn") return { burn: token };
    if (step.kind === "mint")
      return { mint: { ...token, owner: bech32Of(step.to), token_uri: step.uri, extension: null } };
    if (step.to === "contract") return { send_nft: { ...token, contract: bech32Of(step.to), msg: "" } };
    return { transfer_nft: { ...token, recipient: bech32Of(step.to) } };
  };
  return {
    source: { rpcNodeUrl: node.rpcUrl },
    addressOf,
    create: async (name) => {
      const none = { creator: null, withdraw_address: null, collection_info_extension: null };
      const { contractAddress, mark } = await instantiate({ name, symbol: "TEST", minter: creator, ...none });
      addresses.set(name, contractAddress);
      return { address: decodeAddress(contractAddress), mark };
    },
    play: async (signer, steps) => {
      const callOf = (step: Step) => [addresses.get(step.collection) ?? "", messageOf(step)] as const;
      const mark = await execute(signer, steps.map(callOf));
      for (const { kind, collection, ...step } of steps) {
        // A new owner must accept.
        const accept = [addresses.get(collection) ?? "", ownership("accept_ownership")] as const;
        if (kind === "handOver" && "to" in step) await execute(step.to as Signer, [accept]);
      }
      return steps.map(() => mark);
    },
    objectOf: () => undefined,
    timeOf: async (height) => (await client.getBlock(height)).header.time,
    [Symbol.asyncDispose]: async () => {
      for (const each of Object.values(clients)) each.client.disconnect();
      await node.stop();
    },
  };
}

function ownership(action: unknown): object {
  return { update_minter_ownership: action };
}

async function openClient(rpcUrl: string, name: Signer) {
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(testAccounts[name].mnemonic, { prefix: "init" });
  const client = await SigningCosmWasmClient.connectWithSigner(rpcUrl, wallet, {
    broadcastPollIntervalMs: 20,
    broadcastTimeoutMs: hangBoundMs,
  });
  const [account] = await wallet.getAccounts();
  if (account === undefined) throw new Error("the wallet has no account");
  return { client, address: account.address };
}
