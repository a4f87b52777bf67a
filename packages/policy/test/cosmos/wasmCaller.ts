import { readFile } from "node:fs/promises";
import { SigningCosmWasmClient } from "@cosmjs/cosmwasm-stargate";
import { DirectSecp256k1HdWallet, type EncodeObject } from "@cosmjs/proto-signing";
import { testAccounts, type CosmosNode } from "@vipscore/localnet";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import type { SentTransaction } from "./moveCaller.ts";

const fee = { amount: [], gas: "20000000" };
const fixture = "../../../../contracts/wasm/cw721_fixture/artifacts/cw721_fixture.wasm";

/** An account that calls contracts of the fixture, which emit the attributes that a call names. */
export interface WasmCaller {
  /** In bech32. */
  readonly address: string;
  /** Creates a contract with an answer, sent as JSON, to each named query; returns its address in bech32. Default: no answers. */
  readonly create: (answers?: Readonly<Record<string, unknown>>) => Promise<string>;
  /** A call of a contract. */
  readonly message: (contract: string, message: object) => EncodeObject;
  /** Sends messages in one transaction. */
  readonly send: (...messages: readonly EncodeObject[]) => Promise<SentTransaction>;
  readonly close: () => void;
}

/** The message with which a contract emits attributes. */
export function tell(...attributes: readonly (readonly [key: string, value: string])[]): object {
  return { tell: attributes };
}

/** Opens the deployer's account on a chain, and stores the fixture there. */
export async function openWasmCaller(chain: CosmosNode): Promise<WasmCaller> {
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(testAccounts.deployer.mnemonic, { prefix: "init" });
  const [account] = await wallet.getAccounts();
  if (account === undefined) throw new Error("the wallet has no account");
  const { address: sender } = account;
  const client = await SigningCosmWasmClient.connectWithSigner(chain.rpcUrl, wallet, {
    broadcastPollIntervalMs: 20,
    broadcastTimeoutMs: hangBoundMs,
  });
  const { codeId } = await client.upload(sender, await readFile(new URL(fixture, import.meta.url)), fee);
  return {
    address: sender,
    create: async (answers = {}) => {
      const encode = (answer: unknown) => Buffer.from(JSON.stringify(answer)).toString("base64");
      const script = Object.fromEntries(Object.entries(answers).map(([query, answer]) => [query, encode(answer)]));
      return (await client.instantiate(sender, codeId, { answers: script }, "fixture", fee)).contractAddress;
    },
    message: (contract, message) => ({
      typeUrl: "/cosmwasm.wasm.v1.MsgExecuteContract",
      value: { sender, contract, msg: Buffer.from(JSON.stringify(message)), funds: [] },
    }),
    send: async (...messages) => {
      const { transactionHash: hash, ...rest } = await client.signAndBroadcast(sender, messages, fee);
      return { hash, height: rest.height, code: rest.code, gasUsed: rest.gasUsed };
    },
    close: () => client.disconnect(),
  };
}
