import { count, group } from "@vipscore/core/values";
import { markup, type Markup } from "../markup.ts";
import type { ReportBlock, ReportEvidence } from "../reportInput.ts";

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
  return markup`<p>Blocks ${group(first.height)} to ${group(last.height)}, ${timeOf(first)} to ${timeOf(last)}: ${origin}</p>
<p class="quiet">First block <code>${first.hash}</code>, last block <code>${last.hash}</code></p>`;
}

function timeOf({ time }: ReportBlock): string {
  return `${new Date(time * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
