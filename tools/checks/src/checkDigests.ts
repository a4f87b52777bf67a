import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Compares the digests in docs/security.md with those next to the artifacts. Exits with status 1 if any differ. */
const root = join(import.meta.dirname, "..", "..", "..");
const artifacts = [
  "packages/evm/artifacts/VipScore.json",
  "packages/move/artifacts/vip_score.mv",
  "packages/wasm/artifacts/vip_score.wasm",
];

const page = await readFile(join(root, "docs", "security.md"), "utf8");
for (const artifact of artifacts) {
  const line = page.split("\n").find((text) => text.startsWith(`| \`${artifact}\``));
  const listed = line === undefined ? undefined : /[0-9a-f]{64}/.exec(line)?.[0];
  const [digest] = (await readFile(join(root, `${artifact}.sha256`), "utf8")).split(" ");
  if (listed === digest) continue;
  console.error(`docs/security.md lists ${listed ?? "no digest"} for ${artifact}; it is ${digest}`);
  process.exitCode = 1;
}
if (process.exitCode === undefined) console.log(`digests of ${artifacts.length} artifacts agree with docs/security.md`);
