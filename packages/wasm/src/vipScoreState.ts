import {
  stage as stageOf,
  type Account,
  type ContractControl,
  type PinnedOptions,
  type ReadOptions,
  type Score,
  type Stage,
  type StageInfo,
} from "@vipscore/core";
import type { ContractState } from "@vipscore/core/engine";
import { QueryError, undefinedIf } from "@vipscore/core/wire";
import {
  findContract,
  querySmart,
  readAccount,
  readAscending,
  readList,
  readRowPage,
  readRows,
  readU64,
  type AnswerOf,
  type ContractReader,
  type RowPage,
} from "./contractReader.ts";
import type {
  InitStageResponse,
  IsMemberResponse,
  MembersResponse,
  OwnershipResponse,
  QueryMsg,
  ScoresFromResponse,
  ScoresOfResponse,
  StageResponse,
} from "./vipScoreTypes.generated.ts";
import { accountOfAddress, addressOf } from "./wasmAddress.ts";

/** Members, and rows in order of text, per page: the most that the contract returns. */
const pageMembers = 1_000n;
const pageTexts = 1_000n;
/** Rows per page of a counted stage: the most that the contract returns. */
const pageRows = 4_000;

/** Reads the state of our contract with its own queries. */
export function vipScoreState(reader: ContractReader): ContractState {
  const isMember = (account: Account, options?: ReadOptions): Promise<boolean> => {
    const message: QueryMsg = { is_member: { addr: addressOf(account) } };
    const read = (answer: AnswerOf<IsMemberResponse>): boolean => answer.field("is_member").boolean();
    return querySmart(reader, message, read, options);
  };
  const getStage: ContractState["getStage"] = (stage, options) => {
    const read = (answer: AnswerOf<StageResponse>): StageInfo | undefined => {
      if (!answer.field("exists").boolean()) return undefined;
      // Null for a stage that the reference contract finalized before a migration.
      const count = answer.optional("count");
      return {
        stage,
        total: readU64(answer.field("total_score")),
        isFinalized: answer.field("is_finalized").boolean(),
        count: count && readU64(count),
        revision: readU64(answer.field("revision")),
      };
    };
    return querySmart(reader, { get_stage: { stage } }, read, options);
  };
  return {
    getStage,
    async getInitStage(options) {
      const read = (answer: AnswerOf<InitStageResponse>): bigint => readU64(answer.field("init_stage"));
      return stageOf(await querySmart(reader, { get_init_stage: {} }, read, options));
    },
    async getScore(stage, account, options) {
      const message: QueryMsg = { get_scores_of: { stage, addrs: [addressOf(account)] } };
      const read = (answer: AnswerOf<ScoresOfResponse>): Score | undefined => {
        const [score = answer.field("scores").unreadable("a list of one score")] = readList(answer, "scores");
        return score.value === null ? undefined : readU64(score);
      };
      return undefinedIf(isUnknownStage, querySmart(reader, message, read, options));
    },
    async *getScores(stage, { info, ...options }) {
      const { count } = info ?? (await getStage(stage, options)) ?? { count: 0n };
      if (count === undefined) yield* readTexts(reader, stage, options);
      else yield* readRows(reader, stage, { ...options, order: "bytes", limit: pageRows, count });
    },
    isMember,
    async isManager(account, options) {
      const { owner, membersCanManage } = await readOwnership(reader, options);
      return account === owner || (membersCanManage && isMember(account, options));
    },
    getControl: (options) => readControl(reader, options),
    async getMembers(options) {
      const members: Account[] = [];
      for (;;) {
        const newest = members.at(-1);
        const after = newest && addressOf(newest);
        const page = { limit: pageMembers, ...(after === undefined ? {} : { start_after: after }) };
        const found = await querySmart(
          reader,
          { get_members: page },
          (answer) => readMembersPage(answer, after),
          options,
        );
        members.push(...found);
        if (BigInt(found.length) < pageMembers) return members;
      }
    },
  };
}

/** Reads the members of a page, which must ascend from `after` (exclusive) on, as rows do. */
function readMembersPage(answer: AnswerOf<MembersResponse>, after: string | undefined): readonly Account[] {
  let last = after;
  return readList(answer, "members").map((member) => {
    last = readAscending(member, last, "text");
    return readAccount(member);
  });
}

/** A page of rows, and the first address of the next one. */
interface LinkedPage extends RowPage {
  readonly next: string | undefined;
}

/**
 * Yields the rows of a stage that the reference contract finalized before a migration: in order of text, with texts that no page of
 * the published query holds.
 */
async function* readTexts(
  reader: ContractReader,
  stage: Stage,
  options: PinnedOptions,
): ReturnType<ContractState["getScores"]> {
  const ask = ({ next: from, last }: Partial<LinkedPage>): Promise<LinkedPage> => {
    const message = { stage, limit: pageTexts, ...(from === undefined ? {} : { from }) };
    return querySmart(reader, { get_scores_from: message }, (answer) => readLinkedPage(answer, last), options);
  };
  let asked: Promise<LinkedPage> | undefined = ask({});
  while (asked !== undefined) {
    const page: LinkedPage = await asked;
    asked = page.next === undefined ? undefined : ask(page);
    // Request the next page while the caller uses this one; its failure is thrown in its turn.
    asked?.catch(() => {});
    yield page.rows;
  }
}

/** Reads a page. The next one must start after it, or the loop would be endless. */
function readLinkedPage(answer: AnswerOf<ScoresFromResponse>, last: string | undefined): LinkedPage {
  const page = readRowPage(answer, last, "text");
  const next = answer.optional("next");
  if (next !== undefined && page.rows.length === 0) next.unreadable("absent after an empty page");
  return { ...page, next: next && readAscending(next, page.last, "text") };
}

function isUnknownStage(error: unknown): boolean {
  return error instanceof QueryError && error.details?.startsWith("StageNotFound: ") === true;
}

/** Who manages our contract. */
export interface Ownership {
  readonly owner: Account;
  /** Who must call `accept_ownership` to become the owner; undefined when ownership is not offered. */
  readonly pendingOwner: Account | undefined;
  /** The only account that may finalize stages; undefined if every member may. */
  readonly finalizer: Account | undefined;
  /** True if allow-list members may add and remove members. */
  readonly membersCanManage: boolean;
}

export function readOwnership(reader: ContractReader, options: ReadOptions = {}): Promise<Ownership> {
  const read = (answer: AnswerOf<OwnershipResponse>): Ownership => {
    const pending = answer.optional("pending_owner");
    const finalizer = answer.optional("finalizer");
    return {
      owner: readAccount(answer.field("owner")),
      pendingOwner: pending && readAccount(pending),
      finalizer: finalizer && readAccount(finalizer),
      membersCanManage: answer.field("members_can_manage").boolean(),
    };
  };
  return querySmart(reader, { get_ownership: {} }, read, options);
}

/** Reads the roles of our contract at one height. */
export async function readControl(reader: ContractReader, options: ReadOptions = {}): Promise<ContractControl> {
  const [{ membersCanManage, ...ownership }, info] = await Promise.all([
    readOwnership(reader, options),
    findContract(reader, options),
  ]);
  return { ...ownership, othersManage: membersCanManage, codeAdmin: accountOfAddress(info?.admin) };
}
