import type { BroadcastRefusal } from "@vipscore/core";

/** Meaning of a node's refusal text. `known` is not a refusal: the node already has this transaction. */
export type RefusalKind = BroadcastRefusal | "known";

/**
 * Parts of the texts with which nodes refuse a transaction; the first match counts. Error codes do not distinguish them:
 * geth, Hardhat and minievm answer -32000 to nearly all.
 * Sources: Hardhat 3.17 and anvil 1.7.1 as seen in this package's tests; minievm v1.2.18, whose sequence mismatch is
 * recorded, and otherwise the errors of Cosmos SDK 0.50 (`types/errors`) and CometBFT 0.38 (`mempool/errors.go`)
 * that it builds on; geth `core/error.go` and `core/txpool/errors.go`.
 */
const texts: readonly (readonly [RefusalKind, RegExp])[] = [
  // geth, "transaction already imported" of anvil, Hardhat, CometBFT, Cosmos SDK
  ["known", /already known|already imported|known transaction|already exists in cache|already in mempool/i],
  // geth and anvil, Hardhat, minievm
  ["sequence", /nonce (is )?too (low|high)|account sequence/i],
  // another transaction with the same sequence is pending at the node
  ["sequence", /replacement transaction underpriced/i],
  // Hardhat says "doesn't have enough funds"; "insufficient fee" of Cosmos means a price too low and is not one of these
  ["funds", /insufficient (funds|balance)|enough funds/i],
  // minievm (recorded): an account that never received anything, also where gas is free
  ["funds", /account \S+ does not exist: unknown address/i],
  // gas: Hardhat "exceeds transaction gas cap", "exceeds block gas limit"; geth "gas limit too high"; Cosmos "block max gas"
  [
    "too-large",
    /exceeds (the )?(block|transaction|max|allowed|configured).{0,20}gas|gas (limit )?(is )?too high|greater than the cap/i,
  ],
  // bytes: geth, CometBFT, proxies
  [
    "too-large",
    /oversized data|(tx|transaction|request|body|entity|content)( size)? (is )?too (large|big)|exceeds max(imum)? (tx )?size/i,
  ],
  ["execution", /revert|invalid opcode|vm exception/i],
  // price: Hardhat; geth and anvil "max fee per gas less than block base fee", "transaction underpriced"; Cosmos SDK
  ["fee", /fee ?per ?gas.{0,40} (is )?(too low|less than)|underpriced|insufficient fee|fee cap less than/i],
  // permanent: gas below the cost of the bytes, a transaction of another chain or type, an invalid signature
  ["other", /intrinsic gas too low|requires at least \d+ gas|chain.?id|transaction type|invalid sender|signature/i],
  ["other", /mempool is full|txpool is full|out of gas|unauthorized|tx parse error/i],
];

/** Classifies a node's error by its text; undefined if the text does not say whether the node accepted the transaction. */
export function classifyRefusal(text: string): RefusalKind | undefined {
  return texts.find(([, pattern]) => pattern.test(text))?.[0];
}
