/** A JSON object as a node sends it. */
export type JsonObject = Readonly<Record<string, unknown>>;

// The fields that minievm sends, in its order, as recorded; see recordings/README.md.
const transactionFields =
  "blockHash blockNumber from gas gasPrice maxFeePerGas maxPriorityFeePerGas hash input nonce to transactionIndex value type accessList chainId v r s yParity".split(
    " ",
  );
const receiptFields =
  "blockHash blockNumber contractAddress cumulativeGasUsed effectiveGasPrice from gasUsed logs logsBloom status to transactionHash transactionIndex type".split(
    " ",
  );
const logFields = "address topics data blockNumber transactionHash transactionIndex blockHash logIndex removed".split(
  " ",
);
const blockFields =
  "baseFeePerGas difficulty extraData gasLimit gasUsed hash logsBloom miner mixHash nonce number parentHash receiptsRoot sha3Uncles size stateRoot timestamp transactions transactionsRoot uncles withdrawals withdrawalsRoot".split(
    " ",
  );

/** A transaction with only minievm's fields, pending or not; null stays null. */
export function asTransaction(value: unknown): unknown {
  const transaction = pick(value, transactionFields);
  // In a type 2 transaction both have the same value; Hardhat omits one of them.
  return transaction === null ? null : { ...transaction, yParity: transaction["yParity"] ?? transaction["v"] };
}

/** A receipt and its logs with only minievm's fields; null stays null. */
export function asReceipt(value: unknown): JsonObject | null {
  const receipt = pick(value, receiptFields);
  return receipt === null ? null : { ...receipt, logs: asLogs(receipt["logs"]) };
}

/** A list of logs with only minievm's fields. */
export function asLogs(value: unknown): unknown {
  return Array.isArray(value) ? value.map((log) => pick(log, logFields)) : value;
}

/** A block with only minievm's fields, and its constant base fee and gas limit; null stays null. */
export function asBlock(value: unknown): unknown {
  const block = pick(value, blockFields);
  if (block === null) return null;
  const transactions = (block["transactions"] as readonly unknown[]).map((transaction) =>
    typeof transaction === "string" ? transaction : asTransaction(transaction),
  );
  return { ...block, baseFeePerGas: "0x0", gasLimit: "0xffffffffffffffff", transactions };
}

function pick(value: unknown, fields: readonly string[]): JsonObject | null {
  if (value === null || value === undefined) return null;
  const object = value as JsonObject;
  return Object.fromEntries(fields.map((field) => [field, object[field] ?? null]));
}
