import { Coins, MnemonicKey, MsgSend } from "@initia/initia.js";
import { MsgSend as WasmMsgSend } from "cosmjs-types/cosmos/bank/v1beta1/tx";
import { expect, test } from "vitest";
import type { SignedTransaction } from "@vipscore/core";
import type { TransactionPort } from "@vipscore/core/engine";
import { startVipnode, testAccounts } from "@vipscore/localnet";
import { readWasmChainId, wasmAccount } from "@vipscore/wasm";
import { sendTransaction } from "../src/sendTransaction.ts";
import { MoveChain } from "../src/subjects/moveChain.ts";
import { WasmChain } from "../src/subjects/wasmChain.ts";

const { mnemonic } = testAccounts.deployer;

/** A transaction that a node takes while its earlier copy is not in a block yet, as on a busy node. */
const signers: Readonly<
  Record<"move" | "wasm", (node: Node) => Promise<readonly [TransactionPort, SignedTransaction]>>
> = {
  move: async ({ restUrl }) => {
    const chain = await MoveChain.connect(restUrl);
    const key = new MnemonicKey({ mnemonic, coinType: 60, eth: true });
    const send = new MsgSend(key.accAddress, key.accAddress, new Coins("1umin"));
    return [chain, await chain.sign(key, [send], { gas: 200_000 })];
  },
  wasm: async ({ rpcUrl }) => {
    const chain = await WasmChain.connect(rpcUrl, await readWasmChainId({ rpcUrl }));
    const account = wasmAccount({ mnemonic });
    const { address } = account;
    const amount = [{ denom: "umin", amount: "1" }];
    const value = WasmMsgSend.encode({ fromAddress: address, toAddress: address, amount }).finish();
    const price = { gas: 200_000n, fee: { denom: "umin", amount: 30_000n } };
    return [chain, await chain.sign(account, { typeUrl: WasmMsgSend.typeUrl, value }, price)];
  },
};

interface Node {
  readonly rpcUrl: string;
  readonly restUrl: string;
}

test.each(["move", "wasm"] as const)(
  "a transaction that is sent again before its block is no refusal on %s",
  async (vm) => {
    const node = await startVipnode({ vm });
    try {
      const [chain, transaction] = await signers[vm](node);
      await chain.broadcast(transaction);
      await chain.broadcast(transaction);
      expect(await sendTransaction(chain, transaction)).toMatchObject({ outcome: "DONE" });
    } finally {
      await node.stop();
    }
  },
);
