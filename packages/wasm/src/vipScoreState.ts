import { stage as stageOf, u64Max, type Account, type ReadOptions, type Stage } from "@vipscore/core";
import { QueryError } from "./cometErrors.ts";
import { findBytes, findContract, querySmart, type ContractReader } from "./contractReader.ts";
import { asObject, asU64, readBoolean, readList, readU64, unreadable, type Answer, type Source } from "./readField.ts";
import { stageKey } from "./storeKeys.ts";
import { pageRows, readAccount, readRowPage, type RowPage, type ScoreState } from "./scoreState.ts";
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

/** Members of one page: the most that the contract gives. */
const pageMembers = 1_000n;

/** Who manages a contract of ours. */
export interface Ownership {
  readonly owner: Account;
  /** Who must call `accept_ownership` to become the owner; undefined when ownership is not offered. */
  readonly pendingOwner: Account | undefined;
  /** The one account that finalizes stages; undefined where every member does. */
  readonly finalizer: Account | undefined;
  /** Allow-list members add and remove members too. */
  readonly membersCanManage: boolean;
}

/** An answer of our contract, with where it came from. */
interface Answered<T> {
  readonly source: Source;
  readonly answer: Answer<T>;
}

async function query<T>(reader: ContractReader, message: QueryMsg, options: ReadOptions = {}): Promise<Answered<T>> {
  const { source, value } = await querySmart(reader, message, options);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any object is one whose fields may be absent
  return { source, answer: asObject(source, "value", value) as Answer<T> };
}

/** Reads who owns the contract. */
export async function readOwnership(reader: ContractReader, options: ReadOptions = {}): Promise<Ownership> {
  const { source, answer } = await query<OwnershipResponse>(reader, { get_ownership: {} }, options);
  const pending = answer.pending_owner ?? undefined;
  // A contract before 2.0 does not name one.
  const finalizer = answer.finalizer ?? undefined;
  return {
    owner: readAccount(source, answer.owner),
    pendingOwner: pending === undefined ? undefined : readAccount(source, pending),
    finalizer: finalizer === undefined ? undefined : readAccount(source, finalizer),
    membersCanManage: readBoolean(source, answer, "members_can_manage"),
  };
}

/**
 * True if a stage was begun by the reference contract, before a migration: its scores lie each under a key of its own and
 * not in pages. No query tells it, because it changes nothing but the price of a row; its record is the reference's, JSON
 * without the mark of a stage in pages.
 */
export async function isLegacyStage(reader: ContractReader, stage: Stage, options: ReadOptions = {}): Promise<boolean> {
  const record = await findBytes(reader, stageKey(stage), options);
  const text = Buffer.from(record ?? []).toString();
  return text.startsWith("{") && !/"paged":true/.test(text);
}

/** Asks our contract its own queries. */
export function vipScoreState(reader: ContractReader): ScoreState {
  const isMember = async (account: Account, options?: ReadOptions): Promise<boolean> => {
    const message: QueryMsg = { is_member: { addr: addressOf(account) } };
    const { source, answer } = await query<IsMemberResponse>(reader, message, options);
    return readBoolean(source, answer, "is_member");
  };
  const getStage: ScoreState["getStage"] = async (stage, options) => {
    const { source, answer } = await query<StageResponse>(reader, { get_stage: { stage } }, options);
    if (!readBoolean(source, answer, "exists")) return undefined;
    // Null for a large stage that was finalized before the contract became ours.
    const count = answer.count ?? undefined;
    // A contract before 2.0 keeps none.
    const revision = answer.revision ?? undefined;
    return {
      stage,
      total: readU64(source, answer, "total_score"),
      isFinalized: readBoolean(source, answer, "is_finalized"),
      count: count === undefined ? undefined : asU64(source, "count", count),
      revision: revision === undefined ? undefined : asU64(source, "revision", revision),
    };
  };
  return {
    getStage,
    async getInitStage(options) {
      const { source, answer } = await query<InitStageResponse>(reader, { get_init_stage: {} }, options);
      return stageOf(readU64(source, answer, "init_stage"));
    },
    async getScore(stage, account, options) {
      const message: QueryMsg = { get_scores_of: { stage, addrs: [addressOf(account)] } };
      try {
        const { source, answer } = await query<ScoresOfResponse>(reader, message, options);
        const [score] = readList(source, answer, "scores");
        return score === null ? undefined : asU64(source, "score", score);
      } catch (error) {
        if (error instanceof QueryError && error.details?.startsWith("StageNotFound: ") === true) return undefined;
        throw error;
      }
    },
    async *getScores(stage, options) {
      const info = await getStage(stage, options);
      if (info !== undefined) yield* readPages(reader, stage, info.count ?? u64Max, options);
    },
    isMember,
    async isManager(account, options) {
      const { owner, membersCanManage } = await readOwnership(reader, options);
      return account === owner || (membersCanManage && isMember(account, options));
    },
    async getControl(options) {
      const [{ membersCanManage, ...ownership }, info] = await Promise.all([
        readOwnership(reader, options),
        findContract(reader, options),
      ]);
      return {
        ...ownership,
        othersManage: membersCanManage,
        codeAdmin: accountOfAddress(info?.admin),
      };
    },
    async getMembers(options) {
      const members: Account[] = [];
      for (let last: string | undefined; ;) {
        const page = { limit: pageMembers, ...(last === undefined ? {} : { start_after: last }) };
        const { source, answer } = await query<MembersResponse>(reader, { get_members: page }, options);
        const found = readList(source, answer, "members").map((member) => {
          const account = readAccount(source, member);
          const address = addressOf(account);
          if (last !== undefined && address <= last) return unreadable(source, "order of members", address);
          last = address;
          return account;
        });
        members.push(...found);
        if (BigInt(found.length) < pageMembers) return members;
      }
    },
  };
}

async function* readPages(
  reader: ContractReader,
  stage: Stage,
  count: bigint,
  options: { readonly height: bigint; readonly signal?: AbortSignal },
): ReturnType<ScoreState["getScores"]> {
  const ask = (from: string | undefined): Promise<Answered<ScoresFromResponse>> => {
    const message = { stage, limit: pageRows, ...(from === undefined ? {} : { from }) };
    return query(reader, { get_scores_from: message }, options);
  };
  let asked: Promise<Answered<ScoresFromResponse>> | undefined = count === 0n ? undefined : ask(undefined);
  let last: string | undefined;
  let read = 0n;
  while (asked !== undefined) {
    const { source, answer }: Answered<ScoresFromResponse> = await asked;
    const page = readRowPage(source, answer, last);
    const next = readNext(source, answer, page);
    ({ last } = page);
    read += BigInt(page.rows.length);
    if (read > count) unreadable(source, "number of rows", read.toString());
    asked = next === undefined ? undefined : ask(next);
    // The next page is under way while this one is used; its failure is reported when its turn comes.
    asked?.catch(() => {});
    yield page.rows;
  }
}

/** The address that the next page begins with: beyond this page, or the node would be asked for ever. */
function readNext(source: Source, answer: Answer<ScoresFromResponse>, page: RowPage): string | undefined {
  const next = answer.next ?? undefined;
  if (next === undefined) return undefined;
  const isBeyond = typeof next === "string" && page.last !== undefined && page.rows.length > 0 && next > page.last;
  return isBeyond ? next : unreadable(source, "next", next);
}
