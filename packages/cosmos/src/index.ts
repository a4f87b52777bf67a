export { accountLimits, type TransactionSize } from "./accountLimits.ts";
export { aminoAccount, type AminoSigner } from "./aminoAccount.ts";
export { readCoins, type Coin } from "./coins.ts";
export type { AminoMessage, CosmosAccount, CosmosMessage, UnsignedTransaction } from "./cosmosAccount.ts";
export { feeOf, highestGasPrice, parseGasPrice, parseGasPrices, type GasPrice } from "./gasPrice.ts";
export { readRestGasPrice } from "./readRestGasPrice.ts";
export { keyAccount } from "./keyAccount.ts";
export { accountOf, offlineAccount } from "./offlineAccount.ts";
export type { OfflineAminoSigner, OfflineDirectSigner, OfflineSigner } from "./offlineSigner.ts";
export { queuedTxTypeUrl } from "./signerMemory.ts";
export { classifyRefusal, type Refusal, type RefusalKind } from "./refusals.ts";
export { settleBroadcast, type BroadcastRules, type NodeRefusal } from "./settleBroadcast.ts";
export {
  TransactionSigner,
  type AccountState,
  type SignerChain,
  type TransactionSignerParts,
} from "./transactionSigner.ts";
export {
  signedTransactionJson,
  unsignedTransactionJson,
  type MessageJson,
  type TransactionJsonParts,
} from "./transactionJson.ts";
export { senderOf, unsignedCallJson } from "./unsignedCall.ts";
