// The errors alone, without Node's modules, for packages that also run in browsers and programs that start fast.
export { VipError } from "./errors/vipError.ts";
export { exitStatusOf } from "./errors/errorCodes.ts";
export { fileUnwritable, InputError, IssueLog, quoteText, systemError, systemErrorCode } from "./errors/inputError.ts";
export { RowRefusedError } from "./push/rowRefusedError.ts";
export { VerificationError } from "./push/verificationError.ts";
