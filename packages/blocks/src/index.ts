export type { ListRead } from "./callForLists.ts";
export { zeroAddress, type HexAddress } from "./hexAddress.ts";
export { isSlow, isUnreadable, PrunedState, RangeTooLargeError } from "./readErrors.ts";
