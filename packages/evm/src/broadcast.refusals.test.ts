import { expect, test } from "vitest";
import { classifyRefusal } from "./broadcast.ts";

test.each([
  // Hardhat 3.17
  ["Known transaction: 0x5ac6a1c3", "known"],
  [
    "Nonce too low. Expected nonce to be 1 but got 0. Note that transactions can't be queued when automining.",
    "sequence",
  ],
  [
    "Nonce too high. Expected nonce to be 1 but got 3. Note that transactions can't be queued when automining.",
    "sequence",
  ],
  [
    "Replacement transaction underpriced. A gasPrice/maxFeePerGas of at least 2 is necessary to replace the existing transaction with nonce 0.",
    "sequence",
  ],
  ["Transaction gas limit is 20000000 and exceeds transaction gas cap of 16777216", "too-large"],
  ["Transaction gas limit is 20000000 and exceeds block gas limit of 10000000", "too-large"],
  ["Sender doesn't have enough funds to send tx. The max upfront cost is: 5 and the sender's balance is: 0.", "funds"],
  ["Transaction maxFeePerGas (0) is too low for the next block, which has a baseFeePerGas of 7", "fee"],
  ["Transaction requires at least 21000 gas but got 20000", "other"],
  ["VM Exception while processing transaction: reverted with custom error 'StageNotFound(9)'", "execution"],
  // anvil 1.7.1
  ["transaction already imported", "known"],
  ["nonce too low", "sequence"],
  ["replacement transaction underpriced", "sequence"],
  ["Insufficient funds for gas * price + value", "funds"],
  ["intrinsic gas too high -- tx.gas_limit > env.block.gas_limit", "too-large"],
  ["intrinsic gas too high -- tx.gas_limit > env.cfg.tx_gas_limit_cap", "too-large"],
  // geth
  ["already known", "known"],
  ["nonce too low: next nonce 5, tx nonce 4", "sequence"],
  ["nonce too high: address 0x00, tx: 9 state: 4", "sequence"],
  ["insufficient funds for gas * price + value: balance 0, tx cost 21000", "funds"],
  ["exceeds block gas limit", "too-large"],
  ["transaction gas limit too high (cap: 16777216, tx: 20000000)", "too-large"],
  ["oversized data: transaction size 131100, limit 131072", "too-large"],
  ["intrinsic gas too low: gas 20000, minimum needed 21000", "other"],
  ["transaction underpriced: gas tip cap 0, minimum needed 1", "fee"],
  ["max fee per gas less than block base fee: address 0x00, maxFeePerGas: 1, baseFee: 7", "fee"],
  // minievm: Cosmos SDK 0.50 and CometBFT 0.38
  ["tx already exists in cache", "known"],
  ["tx already in mempool", "known"],
  ["account sequence mismatch, expected 12, got 0: incorrect account sequence", "sequence"],
  ["spendable balance 0GAS is smaller than 5GAS: insufficient funds", "funds"],
  ["insufficient fees; got: 0GAS required: 1GAS: insufficient fee", "fee"],
  ["tx too large. Max size is 1048576, but got 1200000", "too-large"],
  ["tx gas limit 50000000 exceeds block max gas 30000000: invalid gas limit", "too-large"],
  ["failed to execute message; message index: 0: Reverted", "execution"],
  // These do not say whether the node accepted the transaction.
  ["Internal error", undefined],
  ["internal server error", undefined],
  ["upstream request failed", undefined],
  ["rate limit exceeded", undefined],
])("%s: %s", (text, kind) => {
  expect(classifyRefusal(text)).toBe(kind);
});
