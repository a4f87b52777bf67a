import {
  createPublicClient,
  encodeDeployData,
  encodeFunctionData,
  http,
  parseEventLogs,
  type Address,
  type Hex,
  type LocalAccount,
} from "viem";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { startHardhat } from "@vipscore/localnet";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { startMinievm } from "@vipscore/testkit/minievm";
import { receiptOf } from "@vipscore/testkit/receiptOf";
import { startAnvil } from "@vipscore/testkit/startAnvil";
import { started } from "@vipscore/testkit/started";
import { until } from "@vipscore/testkit/until";
import { deployCode, deployer, freshAccount } from "./testContract.ts";

const nodes: Readonly<Record<string, () => Promise<AsyncDisposable & { readonly rpcUrl: string }>>> = {
  Hardhat: startHardhat,
  anvil: startAnvil,
  "the minievm double": startMinievm,
};

describe.each(Object.entries(nodes))("the gas that %s estimates for a win in the example of a game", (_, start) => {
  const node = started(start);
  let scores: Address;
  let arena: Address;

  const client = () => createPublicClient({ transport: http(node.rpcUrl, { timeout: hangBoundMs }) });
  const call = (name: "ours" | "arena", functionName: string, args: readonly unknown[]) => ({
    to: name === "ours" ? scores : arena,
    data: encodeFunctionData({ abi: inject("contracts")[name].abi, functionName, args }),
  });

  /** Sends a call with the gas that the node estimates, as wallets do. Returns the names of the game's events. */
  async function send(account: LocalAccount, request: { readonly to: Address; readonly data: Hex }) {
    const nonce = await client().getTransactionCount({ address: account.address, blockTag: "pending" });
    const [chainId, { baseFeePerGas }, gas] = await Promise.all([
      client().getChainId(),
      client().getBlock(),
      client().estimateGas({ account: account.address, ...request }),
    ]);
    const fees = { maxFeePerGas: 2n * (baseFeePerGas ?? 0n), maxPriorityFeePerGas: 0n };
    const serializedTransaction = await account.signTransaction({
      type: "eip1559",
      chainId,
      nonce,
      gas,
      ...request,
      ...fees,
    });
    const hash = await client().sendRawTransaction({ serializedTransaction });
    const { status, logs } = await receiptOf(client(), hash);
    // A node may return a receipt before its state, on which the next estimate depends.
    const { address } = account;
    await until("the state of the transaction", async () => (await client().getTransactionCount({ address })) > nonce);
    const events = parseEventLogs({ abi: inject("contracts").arena.abi, logs }).map(({ eventName }) => eventName);
    return { status, events };
  }

  const scored = { status: "success", events: ["Won"] };
  const win = (account: LocalAccount) => send(account, call("arena", "win", [5n]));

  beforeAll(async () => {
    const { ours, arena: game } = inject("contracts");
    const deploy = ({ abi, bytecode }: typeof ours, arg: unknown) =>
      deployCode(node.rpcUrl, encodeDeployData({ abi, bytecode, args: [arg] }));
    scores = await deploy(ours, 1n);
    arena = await deploy(game, scores);
    await send(deployer, call("ours", "addAllowList", [arena]));
  });

  test("suffices for the score, of new accounts and of others", async () => {
    for (let n = 0; n < 4; n++) {
      const account = await freshAccount(node.rpcUrl);
      expect([await win(account), await win(account)]).toEqual([scored, scored]);
    }
  });

  test("suffices for the score after a finalize, and a refusal still keeps the win", async () => {
    const account = await freshAccount(node.rpcUrl);
    for (const stage of [1n, 2n]) await send(deployer, call("ours", "finalizeStage", [stage]));
    expect(await win(account)).toEqual(scored);
    await send(deployer, call("ours", "removeAllowList", [arena]));
    expect(await win(account)).toEqual({ status: "success", events: ["Won", "NotScored"] });
  });
});
