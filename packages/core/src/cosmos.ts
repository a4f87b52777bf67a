export { feeOf, highestGasPrice, parseGasPrice, parseGasPrices, type GasPrice } from "./cosmos/gasPrice.ts";
export { classifyRefusal, classifyText, type Refusal, type RefusalKind } from "./cosmos/refusals.ts";
export { SequenceMemory } from "./cosmos/sequenceMemory.ts";
export { settleRefusal, type NodeRefusal } from "./cosmos/settleRefusal.ts";
