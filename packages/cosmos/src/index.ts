export {
  accountLimits,
  type AminoMessage,
  type CosmosAccount,
  type CosmosMessage,
  type TransactionSize,
  type UnsignedTransaction,
} from "./cosmosAccount.ts";
export { aminoAccount, type AminoSigner } from "./aminoAccount.ts";
export {
  feeOf,
  highestGasPrice,
  isBelow,
  parseGasPrice,
  parseGasPrices,
  readCoins,
  readL1GasPrice,
  readRestGasPrice,
  type Coin,
  type GasPrice,
  type L1GasPrice,
} from "./gasPrice.ts";
export { openTransport, type Transport } from "./broadcast.ts";
export { checkChainId, readBlockGas, type RequiredChain } from "./chainFacts.ts";
export { simulateGas } from "./simulate.ts";
export { keyAccount } from "./keyAccount.ts";
export { classifyRefusal, type FailureReason, type ParseFailure, type Refusal, type RefusalKind } from "./refusals.ts";
export {
  findAccountState,
  gasQuote,
  queuedTxTypeUrl,
  TransactionSigner,
  unknownSigner,
  type AccountState,
} from "./transactionSigner.ts";
export {
  senderOf,
  signedTransactionJson,
  unsignedCallJson,
  unsignedTransactionJson,
  type MessageJson,
  type TransactionJsonParts,
} from "./transactionJson.ts";
