import type { PackedValues, RankedRow } from "../src/scoreColumns.ts";

/** The facts of the stage as the page has them; integers in decimal. */
export interface StageFacts {
  readonly stage: string;
  readonly total: string;
  /** Accounts with a score above 0. */
  readonly scored: number;
  /** True where accounts are written as init1…, as on Wasm. */
  readonly isBech32: boolean;
  /** Null if proofs cannot be made. */
  readonly bridgeId: string | null;
  /** Null if no account has a score. */
  readonly root: string | null;
  /** Where the stage is claimed on L1; null if it is not known. */
  readonly l1: { readonly chainId: string; readonly vipAddress: string; readonly version: string } | null;
  /** Gas limit and fee of a claim; null if the page offers none. */
  readonly claim: {
    readonly gas: string;
    readonly fee: { readonly denom: string; readonly amount: string } | null;
    /** The last stage that L1 takes, if a part of the reward would vest with a later one. */
    readonly lastStage: string | null;
  } | null;
}

/** A request of the page to its worker. */
export type WorkerRequest =
  | { readonly kind: "open"; readonly rows: string; readonly facts: StageFacts }
  | { readonly kind: "find"; readonly address: string };

export type WorkerAnswer =
  | ({ readonly kind: "opened" } & RowArrays)
  | { readonly kind: "found"; readonly address: string; readonly row: RankedRow | undefined }
  | { readonly kind: "proved"; readonly address: string; readonly proof: ProofResult };

/** Rows in flat arrays, the highest score first. */
export interface RowArrays {
  /** 32 bytes a row, 20 bytes padded on the left. */
  readonly addresses: Uint8Array<ArrayBuffer>;
  readonly values: PackedValues<BigUint64Array<ArrayBuffer>>;
  readonly ranks: Uint32Array<ArrayBuffer>;
}

/** The proof of an account and its claim, or why they cannot be made. */
export type ProofResult =
  | {
      /** Undefined for an account without a score. */
      readonly proof: { readonly file: string; readonly isProved: boolean } | undefined;
      /** The transaction to claim the stage; undefined if the page offers none. */
      readonly claim: string | undefined;
    }
  | { readonly problem: string };
