export { accountLimits, type CosmosAccount, type CosmosMessage, type UnsignedTransaction } from "./cosmosAccount.ts";
export { aminoAccount, type AminoSigner } from "./aminoAccount.ts";
export {
  feeOf,
  isBelow,
  parseGasPrice,
  parseGasPrices,
  readL1GasPrice,
  readRestGasPrice,
  type Coin,
  type GasPrice,
  type L1GasPrice,
} from "./gasPrice.ts";
export { openTransport, type Transport } from "./broadcast.ts";
export { checkChainId, readBlockGas } from "./chainFacts.ts";
export { simulateGas } from "./simulate.ts";
export { keyAccount } from "./keyAccount.ts";
export { classifyRefusal, type FailureReason, type ParseFailure, type Refusal, type RefusalKind } from "./refusals.ts";
export { findAccountState, gasQuote, queuedTxTypeUrl, TransactionSigner, unknownSigner } from "./transactionSigner.ts";
export {
  senderOf,
  signedTransactionJson,
  unsignedCallJson,
  unsignedTransactionJson,
  type MessageJson,
} from "./transactionJson.ts";
