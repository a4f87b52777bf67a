import { scoreColumns, type RankedRow } from "../src/scoreColumns.ts";
import { byId, create } from "./elements.ts";
import type { ProofResult, StageFacts } from "./messages.ts";

/** Replaces the result of the search by one line. */
export function showLine(text: string, className = ""): void {
  byId("result", HTMLDivElement).replaceChildren(create("p", text, className));
}

/** Shows what a search found of an account. */
export function showRow(address: string, row: RankedRow | undefined, facts: StageFacts): void {
  if (row === undefined || row.score === 0n) {
    const what = row === undefined ? "no score" : "a score of 0, so no rank and no proof,";
    showLine(`${address} has ${what} in stage ${facts.stage}.`);
    return;
  }
  const list = create("dl", "", "tiles");
  const stage = { total: BigInt(facts.total), scored: facts.scored };
  for (const { found } of scoreColumns) {
    if (found === undefined) continue;
    const tile = create("div", "", "tile");
    const [title, text] = found;
    tile.append(create("dt", title), create("dd", text(row, stage)));
    list.append(tile);
  }
  const result = byId("result", HTMLDivElement);
  result.replaceChildren(create("p", address, "address"), list);
  if (facts.bridgeId !== null) result.append(create("p", "Making the proof …", "quiet"));
}

let saved = "";

/** Shows the proof below the account, in place of the line that announced it. */
export function showProof(address: string, proof: ProofResult, { stage }: StageFacts): void {
  const result = byId("result", HTMLDivElement);
  result.lastElementChild?.remove();
  if ("problem" in proof) {
    result.append(create("p", proof.problem));
    return;
  }
  const verdict = proof.isProved
    ? "The proof leads to the snapshot root."
    : "The proof does not lead to the snapshot root.";
  URL.revokeObjectURL(saved);
  saved = URL.createObjectURL(new Blob([proof.file], { type: "application/json" }));
  const link = create("a", "Save the proof");
  link.href = saved;
  link.download = `proof-stage${stage}-${address}.json`;
  const details = create("details", "");
  const text = create("pre", proof.file);
  text.tabIndex = 0;
  details.append(create("summary", "Show the proof"), text);
  result.append(create("p", verdict, proof.isProved ? "good" : "bad"), link, details);
}
