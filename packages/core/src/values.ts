// VMs, accounts, stages and scores alone, for programs that parse them before they know what to do.
export type { Account } from "./account.ts";
export { formatBech32, parseAccount } from "./account/readAccount.ts";
export { vms } from "./contractIdentity.ts";
export { stage, u64Max } from "./stage.ts";
export { describeInvalid } from "./table/rowReader.ts";
// Numbers and times for people.
export {
  count,
  formatDuration,
  formatGas,
  formatTime,
  formatTimeBetween,
  formatTokens,
  group,
  parseTime,
  shortAddress,
  shortDigest,
} from "./numbers.ts";
export { wrapLines } from "./wrapLines.ts";
