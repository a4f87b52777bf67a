import { readFile } from "node:fs/promises";
import { SigningCosmWasmClient } from "@cosmjs/cosmwasm-stargate";
import { DirectSecp256k1HdWallet } from "@cosmjs/proto-signing";
import { formatBech32, parseAccount } from "@vipscore/core";
import { startVipnode, testAccounts } from "@vipscore/localnet";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import type { Act, ActivityChain } from "./activity.ts";
import { cosmosTimeOf } from "./cosmosTimes.ts";

const fee = { amount: [], gas: "20000000" };
const fixture = "../../../../contracts/wasm/cw721_fixture/artifacts/cw721_fixture.wasm";

/** Starts vipnode-wasm with a contract that emits the given attributes, and cw721-base. */
export async function startWasmActivity(): Promise<ActivityChain> {
  const node = await startVipnode({ vm: "wasm" });
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(testAccounts.deployer.mnemonic, { prefix: "init" });
  const [{ address: sender } = { address: "" }] = await wallet.getAccounts();
  const client = await SigningCosmWasmClient.connectWithSigner(node.rpcUrl, wallet, {
    broadcastPollIntervalMs: 20,
    broadcastTimeoutMs: hangBoundMs,
  });
  const { codeId } = await client.upload(sender, await readFile(new URL(fixture, import.meta.url)), fee);
  const create = async (message: object) =>
    (await client.instantiate(sender, codeId, message, "fixture", fee)).contractAddress;
  const activity = await create({ answers: {} });
  const absent = { creator: null, withdraw_address: null, collection_info_extension: null };
  const nfts = await create({ name: "Tokens", symbol: "TEST", minter: sender, ...absent });
  const execute = async (contract: string, message: object) =>
    (await client.execute(sender, contract, message, fee)).height;
  return {
    vm: "wasm",
    chainId: node.chainId,
    endpoint: ["--endpoint", node.rpcUrl],
    contractOf: (example) => (example === "nft-holders" ? nfts : activity),
    act: (act: Act) => {
      const account = formatBech32(parseAccount(act.account, { accountBytes: [20] }));
      if (act.kind === "mint") {
        return execute(nfts, { mint: { token_id: act.tokenId, owner: account, token_uri: null, extension: null } });
      }
      return execute(activity, { tell: attributesOf(act, account) });
    },
    timeOf: (height) => cosmosTimeOf(node.rpcUrl, height),
    [Symbol.asyncDispose]: async () => {
      client.disconnect();
      await node.stop();
    },
  };
}

function attributesOf(act: Exclude<Act, { kind: "mint" }>, account: string): readonly (readonly [string, string])[] {
  if (act.kind === "play")
    return [
      ["method", "play"],
      ["player", account],
      ["action", act.action],
    ];
  const amount = act.amount.toString();
  if (act.kind === "trade")
    return [
      ["action", "trade"],
      ["trader", account],
      ["volume", amount],
    ];
  return [
    ["action", act.kind],
    ["account", account],
    ["amount", amount],
  ];
}
