/** One account's score. The rows of a `ScoreTable` have this form. */
export interface ReportRow {
  /** `0x` and 40 or 64 hex digits. */
  readonly account: string;
  /** 0 to 2^64 - 1. */
  readonly score: bigint;
}

/** Contents of a report. Texts may come from anywhere: they are escaped. */
export interface ReportInput {
  /** The rollup's name. Default: only its chain ID is shown. */
  readonly rollup?: string | undefined;
  readonly stage: bigint;
  /** When the stage begins and ends, in Unix time in whole seconds. Default: not known. */
  readonly period?: { readonly from: number; readonly to: number } | undefined;
  /** Pages of others, http or https. Default: none. */
  readonly links?: readonly { readonly text: string; readonly url: string }[] | undefined;
  readonly contract: { readonly vm: string; readonly chainId: string; readonly address: string };
  /** The height at which all of the chain's values were read. */
  readonly height: bigint;
  readonly isFinalized: boolean;
  /** The contract's total, which must be the sum of the rows' scores. */
  readonly total: bigint;
  /** Each account once. */
  readonly rows: Iterable<ReportRow>;
  /** The Merkle tree that proofs are made of. Default: the page makes none. */
  readonly snapshot?: ReportSnapshot | undefined;
  /** An earlier stage to compare with. */
  readonly previous?: { readonly stage: bigint; readonly rows: Iterable<ReportRow> } | undefined;
  /** The push that wrote the scores. */
  readonly push?: ReportPush | undefined;
  /** The inputs that the scores were made from. */
  readonly evidence?: ReportEvidence | undefined;
}

/** The stage's Merkle tree. */
export interface ReportSnapshot {
  readonly bridgeId: bigint;
  /** 64 hex digits; undefined if no account has a score. */
  readonly root: string | undefined;
  readonly l1: ReportL1;
  /** Where the stage is claimed on L1; saved proofs name it. Default: not known. */
  readonly target?: ReportClaimTarget | undefined;
  /** What a claim at the target costs. Default: the page offers no claims. */
  readonly claim?: ReportClaimCost | undefined;
}

/** What the transaction that claims a stage costs on L1. */
export interface ReportClaimCost {
  /** The gas limit. */
  readonly gas: bigint;
  /** In the smallest unit; undefined if gas is free. */
  readonly fee: { readonly denom: string; readonly amount: bigint } | undefined;
  /** The last stage that L1 takes, if a part of the reward would vest with a later one. Default: every part vests. */
  readonly lastStage?: bigint | undefined;
}

/** Where a stage is claimed on L1. */
export interface ReportClaimTarget {
  readonly chainId: string;
  /** Address of the module `vip`. */
  readonly vipAddress: string;
  /** The registration of the bridge. */
  readonly version: bigint;
}

/** L1's record of the stage. */
export interface ReportL1 {
  readonly status: "matches" | "differs" | "removed" | "notThereYet" | "notCompared";
  /** One line for people. */
  readonly text: string;
}

/** Result of a push. */
export interface ReportPush {
  /** The score file as the operator named it. */
  readonly file: string;
  /** Hex digest of the file's table. */
  readonly sha256: string;
  /** The price with its token, such as `0.0712 GAS`; undefined if it is not known. */
  readonly price: string | undefined;
  readonly transactions: readonly ReportTransaction[];
  /** Undefined if the push was not verified, as after a dry run. */
  readonly verification: { readonly agrees: boolean; readonly height: bigint; readonly sha256: string } | undefined;
}

/** A confirmed transaction of a push. */
export interface ReportTransaction {
  readonly hash: string;
  readonly rows: bigint;
  readonly height: bigint;
  /** Undefined if no receipt was read. */
  readonly gasUsed: bigint | undefined;
}

/** Contents of the manifest of a policy's scores. */
export interface ReportEvidence {
  /** The command line that computes the scores again. */
  readonly recompute: string;
  readonly policy: {
    readonly name: string;
    readonly version: string;
    /** Hex digest of the policy's files. */
    readonly sha256: string;
    readonly files: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
  };
  /** The blocks that were counted; undefined if no source reads the rollup. */
  readonly window:
    { readonly first: ReportBlock; readonly last: ReportBlock; readonly from: "policy" | "l1" } | undefined;
  readonly sources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly rows: number;
    readonly sha256: string;
  }[];
  readonly versions: { readonly vipscore: string; readonly duckdb: string };
  /** Hex digest of the scores' table. */
  readonly sha256: string;
  /** Number of accounts that would have a score and are excluded. */
  readonly excluded: number;
}

/** A block of the rollup. */
export interface ReportBlock {
  readonly height: number;
  readonly hash: string;
  /** Unix time in whole seconds. */
  readonly time: number;
}
