// The errors of an input alone, without Node's modules, for packages that also run in browsers.
export { InputError } from "./errors/inputError.ts";
export { quoteText } from "./errors/quoteText.ts";
export { IssueLog } from "./table/issueLog.ts";
