import type { Verification } from "@vipscore/core";
import { count, group, shortDigest } from "./numbers.ts";
import type { Output } from "./output.ts";

/** Returns the line that confirms that the chain holds exactly the file. */
export function agreementLine(output: Output, found: Verification, file: string): string {
  const accounts = count(found.accounts, "account");
  const digest = shortDigest(found.digest.actual);
  const text = `${accounts} and the total agree with ${file} at height ${group(found.height)} (sha256 of the chain's table ${digest})`;
  return `${output.paint("green", "verified")}  ${text}`;
}
