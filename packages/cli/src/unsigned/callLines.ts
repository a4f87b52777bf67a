import { formatChecksummed, type OtherCall } from "@vipscore/core";
import { group } from "@vipscore/core/values";
import { formatTable } from "../output/table.ts";

/** Returns what a call does with every value that its signer signs, for people. */
export function callLines(call: OtherCall): readonly string[] {
  return formatTable([["call", call.kind], ...valuesOf(call)]);
}

type Value = readonly [name: string, value: string];

function valuesOf(call: OtherCall): readonly Value[] {
  if (call.kind === "finalizeStage") return [["stage", `${call.stage}`], ...expectedValues(call.expected)];
  if (call.kind === "setManagement") return [["allowed", call.allowed ? "yes" : "no"]];
  if (call.kind === "acceptOwnership") return [];
  const accounts = call.kind === "setMembers" ? call.accounts : [call.account];
  return accounts.map((account): Value => ["account", account === undefined ? "any" : formatChecksummed(account)]);
}

function expectedValues(expected: Extract<OtherCall, { kind: "finalizeStage" }>["expected"]): readonly Value[] {
  if (expected === undefined) return [["expects", "nothing: the contract checks neither total nor accounts"]];
  const { total, count, revision } = expected;
  return [
    ["total", group(total)],
    ["accounts", group(count)],
    ["revision", group(revision)],
  ];
}
