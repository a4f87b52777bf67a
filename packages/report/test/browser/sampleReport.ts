import { buildSnapshot } from "@vipscore/snapshot";
import { renderReport, type ReportInput, type ReportRow } from "../../src/index.ts";

/** An account of the sample, and its score. */
export const known = { account: "0xc5ea55d90ae84e307622f1b8b13535ec3eff0475", score: 12_345_678n };

/** Spreads numbers over 64 bits, so that addresses and scores look like real ones. */
const spread = (index: number): bigint => BigInt.asUintN(64, BigInt(index) * 0x9e3779b97f4a7c15n);

function rowsOf(first: number, count: number): readonly ReportRow[] {
  return Array.from({ length: count }, (_, index) => ({
    account: `0x${spread(first + index + 1)
      .toString(16)
      .padStart(16, "0")}${"5eed".repeat(6)}`,
    score: 10n ** (spread(first + index + 7) % 7n) + (spread(first + index) % 1000n),
  }));
}

/** Returns a report that has every section; `change` replaces parts of it. */
export function sampleReport(change: Partial<ReportInput> = {}): string {
  const rows = [...rowsOf(0, 2000), known];
  const total = rows.reduce((sum, { score }) => sum + score, 0n);
  const { root } = buildSnapshot({ bridgeId: 7n, stage: 12n, rows, total });
  return renderReport({
    stage: 12n,
    contract: { vm: "evm", chainId: "minievm-2", address: "0x1f00000000000000000000000000000000d0e2aa" },
    height: 481_231n,
    isFinalized: true,
    total,
    rows,
    snapshot: {
      bridgeId: 7n,
      root,
      l1: { status: "matches", text: "matches, submitted 2026-11-22 21:00 UTC" },
      target: { chainId: "interwoven-1", vipAddress: `0x${"3a".repeat(32)}`, version: 1n },
      claim: { gas: 1_050_000n, fee: { denom: "uinit", amount: 15_750n } },
    },
    previous: { stage: 11n, rows: rowsOf(100, 1950) },
    push: {
      file: "scores.csv",
      sha256: "3f2a".repeat(16),
      price: "0.0712 GAS",
      transactions: Array.from({ length: 5 }, (_, index) => ({
        hash: `0x${spread(index + 3)
          .toString(16)
          .padStart(16, "0")
          .repeat(4)}`,
        rows: 400n,
        height: 481_220n + BigInt(index),
        gasUsed: 14_240_000n,
      })),
      verification: { agrees: true, height: 481_231n, sha256: "9c01".repeat(16) },
    },
    evidence: {
      recompute: "vipscore audit scores12.manifest.json --policy <folder> --endpoint <url>",
      policy: {
        name: "season 1",
        version: "2",
        sha256: "5c0e".repeat(16),
        files: ["exclude.csv", "policy.sql", "policy.toml"].map((name) => ({
          name,
          bytes: 4_321,
          sha256: "71b3".repeat(16),
        })),
      },
      window: {
        first: { height: 300_001, hash: `0x${"a1".repeat(32)}`, time: 1_795_000_000 },
        last: { height: 481_200, hash: `0x${"b2".repeat(32)}`, time: 1_796_209_600 },
        from: "l1",
      },
      sources: [
        { name: "trades", kind: "evm_events", rows: 1_234_567, sha256: "0d9e".repeat(16) },
        { name: "bonus", kind: "reference", rows: 12, sha256: "8f41".repeat(16) },
      ],
      versions: { vipscore: "0.1.0", duckdb: "v1.5.6" },
      sha256: "9c01".repeat(16),
      excluded: 3,
    },
    ...change,
  });
}
