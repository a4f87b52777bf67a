import { formatBech32, type ContractIdentity, type Stage } from "@vipscore/core";
import { formatRatio, type MessageMeaning } from "@vipscore/l1";
import { escapeText } from "../../output/escapeText.ts";
import { rollups } from "../../rollup/rollups.ts";
import { plainMarkdown, quoteMarkdown } from "./quoteMarkdown.ts";
import type { ProposalFile, RegistrationFile } from "./readProposalFile.ts";

/** Inputs of the text of a forum post. */
export interface ForumPost {
  readonly settings: ProposalFile & Partial<Pick<RegistrationFile, "bridgeAddress" | "operator" | "commission">>;
  readonly contract: ContractIdentity;
  /** The first stage that the contract has scores for. */
  readonly initStage: Stage;
  readonly meaning: MessageMeaning;
}

/** Returns the Markdown of a forum post with what voters want to know of a rollup. */
export function forumText({ settings, contract, initStage, meaning }: ForumPost): string {
  const { title, summary, bridgeId, bridgeAddress, operator, commission, policy, recompute } = settings;
  const facts = [
    ["Rollup", contract.chainId],
    ["VM", rollups[contract.vm].name],
    ["Bridge ID", bridgeId.toString()],
    ...(bridgeAddress === undefined ? [] : [["Bridge address", formatBech32(bridgeAddress)]]),
    ...(operator === undefined ? [] : [["Operator address", formatBech32(operator)]]),
    ["Scoring contract", contract.address],
    ["First stage of the contract", initStage.toString()],
    ...(commission === undefined
      ? []
      : [
          ["Commission", formatRatio(commission.rate)],
          ["Maximum commission", formatRatio(commission.maxRate)],
          ["Maximum change of the commission in a stage", formatRatio(commission.maxChangeRate)],
        ]),
  ];
  const connection = `--vm ${contract.vm} --endpoint <${rollups[contract.vm].endpoint.protocol} of the rollup> --contract ${contract.address}`;
  return `# ${plainMarkdown(title)}

${quoteMarkdown(summary)}

${table(["", ""], facts)}

## Scoring policy

${quoteMarkdown(policy)}

## How to check the scores

Every score is on the rollup, in the contract above. Anyone can read a stage's scores, and compute the Merkle root that L1
must have for it:

\`\`\`
npx vipscore export --stage <n> ${connection}
npx vipscore snapshot --stage <n> ${connection} --l1-rest-url <REST of L1>
\`\`\`
${recompute === undefined ? "" : `\n${quoteMarkdown(recompute)}\n`}
## The call

The proposal calls \`vip::${meaning.functionName}\`:

${table(
  ["argument", "value"],
  meaning.args.map(({ name, value }) => [`\`${name}\``, value]),
)}
`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => plainMarkdown(escapeText(cell.replaceAll("\n", " ")))).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
