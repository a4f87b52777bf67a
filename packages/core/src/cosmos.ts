export { accountLimits, type DocumentSize } from "./cosmos/accountLimits.ts";
export type { AminoSigner } from "./cosmos/aminoSigner.ts";
export type { CosmosAccount, CosmosKey, UnsignedTransaction } from "./cosmos/cosmosAccount.ts";
export {
  runDeployStep,
  reportUnchanged,
  type CosmosDeployContext,
  type CosmosDeployStep,
  type StepOutcome,
  type StepProgress,
} from "./cosmos/deploySteps.ts";
export { feeOf, highestGasPrice, parseGasPrice, parseGasPrices, type GasPrice } from "./cosmos/gasPrice.ts";
export { queuedTxTypeUrl } from "./cosmos/mempoolMemory.ts";
export { classifyRefusal, type Refusal, type RefusalKind } from "./cosmos/refusals.ts";
export { settleFailure, settleRefusal, type NodeRefusal } from "./cosmos/settleRefusal.ts";
export { privateKeyOf } from "./cosmos/privateKeyOf.ts";
export {
  TransactionSigner,
  type AccountState,
  type Balance,
  type SignerChain,
  type TransactionSignerParts,
} from "./cosmos/transactionSigner.ts";
export { unsignedTransactionJson, type MessageJson } from "./cosmos/transactionJson.ts";
export { senderOf, unsignedCallJson } from "./cosmos/unsignedCall.ts";
