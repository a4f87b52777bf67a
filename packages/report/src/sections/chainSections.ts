import { count, formatTime, group } from "@vipscore/core/values";
import { markup, type Markup } from "../markup.ts";
import type { ReportBlock, ReportEvidence, ReportInput, ReportPush, ReportSnapshot } from "../reportInput.ts";

/** Shows what the scores were made from, and how anyone can compute them again. */
export function evidenceSection(evidence: ReportEvidence): Markup {
  const { recompute, policy, window, sources, versions, sha256, excluded } = evidence;
  const rows = sources.map(
    ({ name, kind, rows: read, sha256: digest }) =>
      markup`<li>${name} (${kind}), ${count(read, "row")}, sha256 <code>${digest}</code></li>`,
  );
  const files = policy.files.map(
    ({ name, bytes, sha256: digest }) =>
      markup`<li>${name}, ${count(bytes, "byte")}, sha256 <code>${digest}</code></li>`,
  );
  return markup`<section><h2>Policy and evidence</h2>
<p>Policy “${policy.name}”, version ${policy.version}, sha256 <code>${policy.sha256}</code></p>
${window === undefined ? "" : windowLines(window)}
<p>${excluded === 0 ? "The policy excludes no account that would have a score." : `${count(excluded, "account")} that would have a score ${excluded === 1 ? "is" : "are"} excluded by the policy.`}</p>
<p>Sha256 of the scores: <code>${sha256}</code></p>
<h3>Sources</h3>
<ul>${rows}</ul>
<details><summary>${count(policy.files.length, "file")} of the policy</summary><ul>${files}</ul></details>
<p>Made by vipscore ${versions.vipscore} with DuckDB ${versions.duckdb}. Anyone who has the policy’s folder can compute the scores again:</p>
<pre tabindex="0">${recompute}</pre>
</section>`;
}

function windowLines({ first, last, from }: NonNullable<ReportEvidence["window"]>): Markup {
  const origin = from === "l1" ? "the stage on L1" : "the policy’s window";
  return markup`<p>Blocks ${group(first.height)} to ${group(last.height)}, ${timeElement(first)} to ${timeElement(last)}: ${origin}</p>
<p class="quiet">First block <code>${first.hash}</code>, last block <code>${last.hash}</code></p>`;
}

function timeElement({ time }: ReportBlock): string {
  return formatTime(new Date(time * 1000));
}

/** The transactions of the push. */
export function pushSection({ file, sha256, price, transactions, verification }: ReportPush): Markup {
  const rows = transactions.map(
    ({ hash, rows: written, height, gasUsed }) =>
      markup`<tr><td class="address">${hash}</td><td>${group(written)}</td><td>${group(height)}</td><td class="minor">${group(gasUsed)}</td></tr>`,
  );
  const verdict =
    verification === undefined
      ? markup`<p class="bad">The push was not verified.</p>`
      : markup`<p class="${verification.agrees ? "good" : "bad"}">${verification.agrees ? "Verified" : "Differs"} at height ${group(verification.height)}: sha256 of the chain's table <code>${verification.sha256}</code></p>`;
  const table = markup`<details><summary>${count(transactions.length, "transaction")}</summary><table><thead><tr><th scope="col" class="address">Transaction</th><th scope="col">Rows</th><th scope="col">Height</th><th scope="col" class="minor">Gas used</th></tr></thead><tbody>${rows}</tbody></table></details>`;
  return markup`<section><h2>Push</h2>
<p>File <code>${file}</code>, sha256 <code>${sha256}</code>${price === undefined ? "" : `, price ${price}`}</p>
${verdict}
${transactions.length === 0 ? markup`<p>No transactions.</p>` : table}
</section>`;
}

/** Shows the checks: the sum of the scores, and the root against L1's. */
export function verificationSection({ total, height, snapshot }: ReportInput): Markup {
  return markup`<section><h2>Verification</h2>
<p class="good">The scores at height ${group(height)} add up to the contract's total, ${group(total)}.</p>
${snapshot === undefined ? markup`<p class="quiet">No snapshot root: the rollup's bridge ID is not known.</p>` : rootLines(snapshot)}
</section>`;
}

function rootLines({ bridgeId, root, l1 }: ReportSnapshot): Markup {
  const look = l1.status === "matches" ? "good" : l1.status === "differs" ? "bad" : "quiet";
  return markup`<p>Snapshot root for bridge ${bridgeId}: <code>${root ?? "none, because no account has a score"}</code></p>
<p class="${look}">L1: ${l1.text}</p>`;
}
