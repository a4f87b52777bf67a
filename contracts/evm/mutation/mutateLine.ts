/** A change of one line that a test should notice. */
export interface Mutation {
  readonly what: string;
  readonly line: string;
}

/** Replacements, applied at each occurrence. Spaces distinguish assignments from similar operators. */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/ == /g, " != "],
  [/ != /g, " == "],
  [/ < /g, " <= "],
  [/ <= /g, " < "],
  [/ > /g, " >= "],
  [/ && /g, " || "],
  [/ \|\| /g, " && "],
  [/ \+ /g, " - "],
  [/ - /g, " + "],
  [/ \+= /g, " = "],
  [/ \|= /g, " = "],
  [/ & /g, " | "],
  [/ << /g, " >> "],
  [/ >> /g, " << "],
  [/\+\+/g, "--"],
  [/ (?:onlyMember|onlyManager|onlyOwner|onlyFinalizer)\b/g, ""],
  [/\bcontinue;/g, "break;"],
  [/\btrue\b/g, "false"],
  [/(?<=[ (])(?:0|1|3|4|16|32|64|128|256|4096|1_000|5_000)(?=[ );,])/g, "+1"],
];

/** Statements whose removal a test should notice. */
const statements = /^\s*(?:emit|revert|_\w+\(|[\w.[\]() /%*]+ (?:[-+|^&]?=) .*;|.*\brevert \w+\(.*\);$)/;

/** All mutations of a line of Solidity; none of comments and declarations without code. */
export function mutateLine(line: string): readonly Mutation[] {
  if (/^\s*(?:\/\/|\/?\*|pragma|import|event|error|modifier|using|struct|library)/.test(line)) return [];
  const mutations: Mutation[] = [];
  for (const [pattern, by] of replacements) {
    for (const { 0: found, index } of line.matchAll(pattern)) {
      const value = by === "+1" ? String(Number(found.replaceAll("_", "")) + 1) : by;
      const mutated = line.slice(0, index) + value + line.slice(index + found.length);
      mutations.push({ what: `${found.trim()} -> ${value.trim() || "nothing"}`, line: mutated });
    }
  }
  const isDeclaration =
    /^\s*(?:\(|u?int\d*|uint256|address|bool|mapping|Stage|Group|Batch|RowWriter|IVipScore|PackedScores|\w+\[\])\s/.test(
      line,
    );
  if (statements.test(line) && !isDeclaration) mutations.push({ what: "statement removed", line: "" });
  return mutations;
}
