export { IndexerMovingError } from "./holders/indexerMovingError.ts";
export { readHolders, type Holders, type HoldersProgress, type ReadHoldersOptions } from "./holders/readHolders.ts";
