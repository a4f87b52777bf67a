export type { ListRead } from "./callForLists.ts";
export { zeroAddress, type HexAddress } from "./hexAddress.ts";
export { inParallel } from "./inParallel.ts";
export { isUnreadable, PrunedState, RangeTooFull } from "./readErrors.ts";
