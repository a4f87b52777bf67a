import { formatBech32, type Account } from "@vipscore/core";
import { NoSuchCall, snakeCase, type Row, type SubjectCall } from "../subject.ts";

/** The published messages of the reference contract, initia-labs/vip-score-wasm, with any values. */
export function publishedMessages(account: Account): readonly string[] {
  const addr = formatBech32(account);
  return [
    '{"finalize_stage":{"stage":9}}',
    `{"increase_score":{"addr":"${addr}","stage":9,"amount":1}}`,
    `{"decrease_score":{"addr":"${addr}","stage":9,"amount":1}}`,
    `{"update_score":{"addr":"${addr}","stage":9,"amount":1}}`,
    `{"update_scores":{"stage":9,"scores":[["${addr}",1]]}}`,
    `{"add_allow_list":{"addr":"${addr}"}}`,
    `{"remove_allow_list":{"addr":"${addr}"}}`,
  ];
}

/** The published queries about an account with the score 1 as the only row of stage 1, with their answers. */
export function publishedQueries(account: Account): readonly (readonly [query: string, answer: object])[] {
  const addr = formatBech32(account);
  const row = { stage: 1n, addr, score: 1n };
  return [
    [`{"get_score":{"addr":"${addr}","stage":1}}`, row],
    ['{"get_scores":{"stage":1,"limit":5}}', { scores: [row] }],
    [`{"get_scores":{"stage":1,"limit":5,"start_after":"${addr}"}}`, { scores: [] }],
    ['{"get_stage_info":{"stage":1}}', { stage: 1n, total_score: 1n, is_finalized: false }],
  ];
}

/** Whether a contract refused a message because it has no such message, or not with these fields. */
export function isUnknownMessage(details: string | undefined): boolean {
  return /Error parsing into type/.test(details ?? "");
}

/**
 * The message of a call as JSON text, written byte for byte as the interface requires, with amounts as numbers of
 * any size, so that the test does not depend on the client's encoder.
 */
export function wasmMessage(call: SubjectCall): string {
  switch (call.kind) {
    case "updateScore":
    case "increaseScore":
    case "decreaseScore": {
      const { stage, account, amount } = call;
      return `{"${snakeCase(call.kind)}":{"addr":"${formatBech32(account)}","stage":${stage},"amount":${amount}}}`;
    }
    case "updateScores":
    case "updateScoresUnequal": {
      const pairs = [...call.rows.map(pair), ...(call.kind === "updateScores" ? [] : ['["init1"]'])];
      return `{"update_scores":{"stage":${call.stage},"scores":[${pairs.join(",")}]}}`;
    }
    case "updateScoresPacked":
      return `{"update_scores_packed":{"stage":${call.stage},"rows":"${encodeRows(call.rows).toString("base64")}"}}`;
    case "updateScoreOfText":
      return `{"update_scores":{"stage":${call.stage},"scores":[[${JSON.stringify(call.text)},1]]}}`;
    case "finalizeStage":
      return `{"finalize_stage":{"stage":${call.stage}}}`;
    case "finalizeStageChecked": {
      const { stage, total, count, revision } = call;
      const expected = `"expected_total":${total},"expected_count":${count},"expected_revision":${revision}`;
      return `{"finalize_stage_checked":{"stage":${stage},${expected}}}`;
    }
    case "addMember":
      return `{"add_allow_list":{"addr":"${formatBech32(call.account)}"}}`;
    case "removeMember":
      return `{"remove_allow_list":{"addr":"${formatBech32(call.account)}"}}`;
    case "setMembers":
      return `{"set_allow_list":{"addrs":${JSON.stringify(call.accounts.map((account) => formatBech32(account)))}}}`;
    case "transferOwnership":
      return `{"transfer_ownership":{"new_owner":"${formatBech32(call.account)}"}}`;
    case "acceptOwnership":
      return '{"accept_ownership":{}}';
    case "setFinalizer": {
      const finalizer = call.account === undefined ? "null" : `"${formatBech32(call.account)}"`;
      return `{"set_finalizer":{"finalizer":${finalizer}}}`;
    }
    case "setManagement":
      return `{"set_members_can_manage":{"allowed":${call.allowed}}}`;
    case "renounceOwnership":
    case "setInitStage":
      break;
  }
  throw new NoSuchCall("Wasm", call.kind);
}

function pair({ account, score }: Row): string {
  return `["${formatBech32(account)}",${score}]`;
}

/** Rows of a packed batch: the length of the address in one byte, the address, the score in eight bytes. */
function encodeRows(rows: readonly Row[]): Buffer {
  return Buffer.concat(
    rows.flatMap(({ account, score }) => {
      const address = Buffer.from(account.slice(2), "hex");
      const amount = Buffer.from(score.toString(16).padStart(16, "0"), "hex");
      return [Buffer.from([address.length]), address, amount];
    }),
  );
}
