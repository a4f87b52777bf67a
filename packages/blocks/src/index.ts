export type { ListRead } from "./callForLists.ts";
export { zeroAddress, type HexAddress } from "./hexAddress.ts";
export { inParallel } from "./inParallel.ts";
export { PrunedState } from "./prunedState.ts";
export { RangeTooFull } from "./rangeTooFull.ts";
export { isUnreadable } from "./unreadable.ts";
