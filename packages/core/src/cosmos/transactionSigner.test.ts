import { expect, test } from "vitest";
import { parseAccount } from "../account/parseAccount.ts";
import { BroadcastError } from "../errors/broadcastError.ts";
import type { UnsignedTransaction } from "./cosmosAccount.ts";
import { parseGasPrice } from "./gasPrice.ts";
import { TransactionSigner } from "./transactionSigner.ts";

const address = `0x${"ab".repeat(20)}`;

/** A signer on a chain whose price can be changed. */
function signerOn(chain: { price: string }, canQueue = true) {
  let reads = 0;
  const signer = new TransactionSigner<string>({
    chainId: "chain-1",
    gasPrice: undefined,
    account: {
      address,
      account: parseAccount(address, { accountBytes: [20] }),
      canQueue,
      signTransaction: ({ fee, isQueued }: UnsignedTransaction<string>) =>
        Promise.resolve(Buffer.from(`fee ${fee?.amount}${isQueued === true ? " queued" : ""}`)),
    },
    chain: {
      readAccountState: () => Promise.resolve({ accountNumber: 1n, sequence: 0n }),
      readGasPrice: () => {
        reads += 1;
        return Promise.resolve(parseGasPrice(chain.price));
      },
      readBalance: () => Promise.resolve({ denom: "umin", amount: 0n }),
    },
  });
  const feeNow = async () => {
    const transaction = await signer.sign("message", { sequence: 0n, gas: 100n });
    return { transaction, fee: Buffer.from(transaction.bytes).toString() };
  };
  return { signer, feeNow, priceReads: () => reads };
}

test("only a refused fee causes the price to be read again", async () => {
  const chain = { price: "1umin" };
  const { signer, feeNow, priceReads } = signerOn(chain);
  const { transaction, fee } = await feeNow();
  expect(fee).toBe("fee 100");
  chain.price = "3umin";
  signer.noteRefusal(transaction, new BroadcastError("no", { refusal: "other" }));
  expect((await feeNow()).fee).toBe("fee 100");
  expect(priceReads()).toBe(1);
  signer.noteRefusal(transaction, new BroadcastError("no", { refusal: "fee" }));
  expect((await feeNow()).fee).toBe("fee 300");
  expect(priceReads()).toBe(2);
});

test.each([true, false])("the extension is signed only by an account that can: %s", async (canQueue) => {
  const { signer, feeNow } = signerOn({ price: "1umin" }, canQueue);
  const { transaction } = await feeNow();
  const details = "expected 42, got 43; use extension option /initia.tx.v1.ExtensionOptionQueuedTx for queued tx";
  signer.noteRefusal(transaction, new BroadcastError("no", { refusal: "other", details }));
  expect((await feeNow()).fee).toBe(canQueue ? "fee 100 queued" : "fee 100");
  expect(transaction.hasOtherForm ?? true).toBe(canQueue);
});
