import { SigningCosmWasmClient } from "@cosmjs/cosmwasm-stargate";
import { DirectSecp256k1HdWallet } from "@cosmjs/proto-signing";
import { bcs, isTxError, MnemonicKey, MsgExecute, RESTClient, Wallet } from "@initia/initia.js";
import { createWalletClient, getAddress, http, parseAbi, publicActions, type Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatBech32, parseAccount, type Vm } from "@vipscore/core";
import { testAccounts, type LocalNode } from "@vipscore/localnet";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { started } from "@vipscore/testkit/started";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { addressOf, runCli, startNode, type JsonObject, type JsonValue } from "./harness.ts";
import { setStage, startL1 } from "./localL1.ts";

// Initia's guide to the scoring contract, call by call: its requests and its transactions, with the libraries that it uses, on a
// contract that the command deployed with the guide's variables. What they write is read with the command.

const { deployer, operator } = testAccounts;
const l1 = started(() => startL1());
const [one, other] = [addressOf(0xa1), addressOf(0xb2)];

/** The guide's transactions: true for a receipt with success, or a result without a code. */
interface GuideCalls {
  /** The account that sends, if it is not the one that the command derives from the same mnemonic. */
  readonly sender?: string;
  readonly update: (stage: bigint, accounts: readonly string[], scores: readonly number[]) => Promise<boolean>;
  readonly finalize: (stage: bigint) => Promise<boolean>;
}
type Author = typeof deployer;

const abi = parseAbi([
  "function updateScores(uint64 stage, address[] addrs, uint64[] amounts)",
  "function finalizeStage(uint64 stage)",
]);

const callsOf: Readonly<Record<Vm, (node: LocalNode, contract: string, author: Author) => Promise<GuideCalls>>> = {
  evm: async ({ rpcUrl }, contract, { privateKey }) => {
    const account = privateKeyToAccount(privateKey);
    const client = createWalletClient({ account, transport: http(rpcUrl) }).extend(publicActions);
    const to = { address: contract as Hex, abi, chain: null, gas: 500_000n };
    const succeeds = async (sent: Promise<Hex>): Promise<boolean> => {
      const { status } = await client.waitForTransactionReceipt({ hash: await sent, pollingInterval: 50 });
      return status === "success";
    };
    const ended = (sent: Promise<Hex>): Promise<boolean> => succeeds(sent).catch(() => false);
    return {
      update: (stage, accounts, scores) => {
        const args = [stage, accounts.map((each) => getAddress(each)), scores.map(BigInt)] as const;
        return ended(client.writeContract({ ...to, functionName: "updateScores", args }));
      },
      finalize: (stage) => ended(client.writeContract({ ...to, functionName: "finalizeStage", args: [stage] })),
    };
  },
  move: async (node, contract, { mnemonic }) => {
    const { restUrl = "", chainId } = node as { readonly restUrl?: string; readonly chainId: string };
    const rest = new RESTClient(restUrl, { chainId, gasPrices: "0umin" });
    const wallet = new Wallet(rest, new MnemonicKey({ mnemonic }));
    const call = async (name: string, ...args: readonly { toBase64(): string }[]): Promise<boolean> => {
      const encoded = args.map((arg) => arg.toBase64());
      const msgs = [new MsgExecute(wallet.key.accAddress, contract, "vip_score", name, [], encoded)];
      const tx = await wallet.createAndSignTx({ msgs }).catch(() => undefined);
      return tx !== undefined && !isTxError(await rest.tx.broadcast(tx, hangBoundMs));
    };
    const address = bcs.address().serialize(deployer.address);
    // The contract has this member already, and refuses it again.
    expect(await call("add_deployer_script", address)).toBe(false);
    const u64 = (value: bigint) => bcs.u64().serialize(value);
    return {
      update: (stage, accounts, scores) =>
        call(
          "update_score_script",
          u64(stage),
          bcs.vector(bcs.address()).serialize([...accounts]),
          bcs.vector(bcs.u64()).serialize([...scores]),
        ),
      finalize: (stage) => call("finalize_script", u64(stage)),
    };
  },
  wasm: async ({ rpcUrl }, contract, { mnemonic }) => {
    const wallet = await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: "init" });
    const sender = (await wallet.getAccounts())[0]?.address ?? "";
    const options = { broadcastPollIntervalMs: 50, broadcastTimeoutMs: hangBoundMs };
    const client = await SigningCosmWasmClient.connectWithSigner(rpcUrl, wallet, options);
    const fee = { amount: [], gas: "1000000" };
    const call = (message: JsonObject): Promise<boolean> =>
      client.execute(sender, contract, message, fee).then(
        () => true,
        () => false,
      );
    return {
      sender,
      update: (stage, accounts, scores) => {
        const named = accounts.map((each) => formatBech32(parseAccount(each, { accountBytes: [20] })));
        const pairs = named.map((account, index): JsonValue => [account, scores[index] ?? null]);
        return call({ update_scores: { stage: Number(stage), scores: pairs } });
      },
      finalize: (stage) => call({ finalize_stage: { stage: Number(stage) } }),
    };
  },
};

/** Asks an endpoint as the guide does. */
async function ask(url: string, init: RequestInit = {}): Promise<JsonObject> {
  const response = await fetch(url, init);
  expect({ url, status: response.status }).toEqual({ url, status: 200 });
  return (await response.json()) as JsonObject;
}

describe.each(["evm", "move", "wasm"] as const)("%s", (vm) => {
  const cwd = temporaryFolder();
  let node: LocalNode;
  let contract: string;
  let env: Record<string, string>;
  const run = async (...args: readonly string[]): Promise<JsonObject> =>
    (await runCli([...args, "--json"], cwd, { env })).json();
  beforeAll(async () => {
    node = await startNode(vm);
    const { rpcUrl, chainId } = node;
    const key = { MNEMONIC: deployer.mnemonic, RPC_NODE_URL: rpcUrl, CHAIN_ID: chainId, GAS_PRICES: "0umin" };
    env = {
      ...(vm === "evm" ? { JSON_RPC_URL: rpcUrl, PRIVATE_KEY: deployer.privateKey } : key),
      INIT_STAGE: "3",
      L1_REST_URL: l1.endpoint.restUrl,
      VIP_ADDRESS: l1.endpoint.vipAddress,
    };
  });
  afterAll(() => node.stop());
  /** Each VM lists rows in its own order; these are in that of their addresses. */
  const scoresOf = async (stage: number) => {
    const { scores } = (await run("export", "--stage", `${stage}`)) as { scores: { readonly address: string }[] };
    return scores.toSorted((a, b) => a.address.localeCompare(b.address));
  };

  test("the current stage on L1", async () => {
    await setStage(l1, 3n, 2n ** 40n);
    const { restUrl, vipAddress } = l1.endpoint;
    const tag = encodeURIComponent(`${vipAddress}::vip::ModuleStore`);
    const path = `/initia/move/v1/accounts/${vipAddress}/resources/by_struct_tag?struct_tag=${tag}`;
    const { resource } = (await ask(`${restUrl}${path}`)) as { resource: { readonly move_resource: string } };
    const { data } = JSON.parse(resource.move_resource) as { readonly data: { readonly stage: string } };
    expect(data.stage).toBe("3");
    expect(await run("stage")).toMatchObject({ stage: data.stage });
  });

  test("the version and the chain ID of the rollup", async () => {
    if (vm === "evm") {
      const body = JSON.stringify({ jsonrpc: "2.0", method: "eth_chainId", params: [], id: 7 });
      const headers = { "content-type": "application/json" };
      const answer = await ask(`${node.rpcUrl}/`, { method: "POST", headers, body });
      expect(answer).toEqual({ jsonrpc: "2.0", id: 7, result: `0x${Number(node.chainId).toString(16)}` });
      return;
    }
    const { result } = await ask(`${node.rpcUrl}/abci_info`, { method: "POST" });
    const { response } = result as { readonly response: Record<string, string> };
    const text = expect.any(String) as string;
    expect(response).toMatchObject({ data: text, version: text, last_block_height: text, last_block_app_hash: text });
    expect(await run("version")).toMatchObject({ rollup: { version: response["version"] } });
  });

  test("deploy with the first stage, update scores, finalize, go on with the next stage", async () => {
    const deployed = await run("deploy");
    expect(deployed).toMatchObject({ initStage: "3", members: [deployer.address.toLowerCase()] });
    contract = (deployed["contract"] as { readonly address: string }).address;
    env["CONTRACT_ADDRESS"] = contract;
    const { update, finalize, sender } = await callsOf[vm](node, contract, deployer);
    if (sender !== undefined) await run("members", "add", sender);
    expect(await update(2n, [one], [1])).toBe(false);
    expect(await update(3n, [one, other], [100, 250])).toBe(true);
    expect(await update(3n, [other], [300])).toBe(true);
    const address = (account: string): string => getAddress(account);
    const scores = [one, other].map((account, index) => ({ address: address(account), score: ["100", "300"][index] }));
    expect(await scoresOf(3)).toEqual(scores);
    // Entry i of one list belongs to entry i of the other.
    if (vm !== "wasm") expect(await update(3n, [one, other], [1])).toBe(false);
    const stranger = await callsOf[vm](node, contract, operator);
    expect(await stranger.update(3n, [one], [1])).toBe(false);
    expect(await stranger.finalize(3n)).toBe(false);
    expect(await scoresOf(3)).toEqual(scores);

    expect(await finalize(3n)).toBe(true);
    expect(await update(3n, [one], [1])).toBe(false);
    expect(await finalize(3n)).toBe(false);
    expect(await run("status", "--stage", "3")).toMatchObject({ stages: [{ isFinalized: true, total: "400" }] });
    expect(await update(4n, [one], [7])).toBe(true);
    expect(await run("status", "--stage", "4")).toMatchObject({ stages: [{ isFinalized: false, total: "7" }] });
  });
});
