import type { ErrorCode } from "@vipscore/core";
import type { ParseFailure } from "@vipscore/cosmos";

/** The errors of our contract, which start with the name of their variant, and their codes. */
export const contractErrors: readonly { readonly variant: string; readonly code: ErrorCode }[] = [
  { variant: "PermissionDenied", code: "PERMISSION_DENIED" },
  { variant: "NotOwner", code: "PERMISSION_DENIED" },
  { variant: "OwnershipNotOffered", code: "PERMISSION_DENIED" },
  { variant: "StageZero", code: "STAGE_ZERO" },
  { variant: "StageNotFound", code: "STAGE_NOT_FOUND" },
  { variant: "StageFinalized", code: "STAGE_FINALIZED" },
  { variant: "InsufficientScore", code: "INSUFFICIENT_SCORE" },
  { variant: "ScoreOverflow", code: "SCORE_OVERFLOW" },
  { variant: "TotalOverflow", code: "SCORE_OVERFLOW" },
  { variant: "InvalidAddress", code: "INVALID_ADDRESS" },
  { variant: "LastMember", code: "LAST_MEMBER" },
  { variant: "NoMembers", code: "LAST_MEMBER" },
  { variant: "FinalizeMismatch", code: "FINALIZE_MISMATCH" },
];

/** The texts of the published interface: all that a reference contract has, often inside the text of a trap. */
export const publishedTexts: readonly { readonly text: string; readonly code: ErrorCode }[] = [
  { text: "Address is not allowed", code: "PERMISSION_DENIED" },
  { text: "Stage can not be zero", code: "STAGE_ZERO" },
  { text: "Stage not found", code: "STAGE_NOT_FOUND" },
  { text: "Stage finalized", code: "STAGE_FINALIZED" },
  { text: "Insufficient score", code: "INSUFFICIENT_SCORE" },
  // A decrease for an account without a score.
  { text: "User score not found", code: "INSUFFICIENT_SCORE" },
];

/** `ErrUnauthorized` of the Cosmos SDK 0.50, `types/errors/errors.go`. */
const unauthorizedCode = 4;

/**
 * Parses the chain's answer for a failed transaction, for example codespace `wasm`, code 5, `failed to execute message;
 * message index: 0: StageFinalized: Stage finalized: 7: execute wasm contract failed`.
 */
export const parseFailure: ParseFailure = ({ codespace, code: number, log }) => {
  const details = codespace === undefined ? log : `${codespace} code ${number}: ${log}`;
  const [head, text = ""] = /^failed to execute message; message index: \d+: (.*)$/s.exec(log) ?? [];
  // The chain's own check of who may store code or migrate.
  if (head !== undefined && codespace === "sdk" && number === unauthorizedCode)
    return { code: "PERMISSION_DENIED", details };
  if (codespace !== undefined && codespace !== "wasm") return { details };
  const variant = /^(\w+): /.exec(text)?.[1];
  const known =
    contractErrors.find((error) => error.variant === variant) ??
    // Elsewhere the text may come from a caller, as part of an address.
    (/^(Generic error|Error calling the VM): /.test(text)
      ? publishedTexts.find((error) => text.includes(error.text))
      : undefined);
  return known === undefined ? { details } : { code: known.code, details };
};
