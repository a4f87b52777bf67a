// Accounts, stages and scores alone, for programs that parse them before they know what to do.
export { formatBech32 } from "./account/formatAccount.ts";
export { parseAccount } from "./account/parseAccount.ts";
export { u64Max } from "./score.ts";
export { stage } from "./stage.ts";
