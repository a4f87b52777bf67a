import { sql, type Kysely } from "kysely";
import { stage as toStage, VipError, type ContractIdentity, type Vm } from "@vipscore/core";
import { u64Bytes, versionAfter, type Database } from "../database.ts";
import { databaseInvalid, withDatabaseErrors } from "../databaseErrors.ts";
import type { IndexedChain } from "../indexedChain.ts";
import type { Tables } from "../tables.ts";
import type { KnownRows, ScoreStore, StageChange, StoredScores, StoredStage } from "./scores.ts";
import { StageRows } from "./stageRows.ts";
import { openTree, setBridge, storeTree } from "./treeStore.ts";

/** Opens the scores of a database. */
export function openScoreStore(database: Database): ScoreStore {
  const { reader, writer, claim } = database;
  return {
    begin: (contract, bridgeId) =>
      withDatabaseErrors(async () => {
        const indexed = await begin(database, contract);
        if (bridgeId !== undefined) await setBridge(writer, bridgeId);
        return indexed;
      }),
    apply: (changes, progress) =>
      withDatabaseErrors(() =>
        writer.transaction().execute(async (transaction) => {
          await claim(transaction);
          await apply(transaction, changes, progress);
        }),
      ),
    noteHead: (head, at) =>
      withDatabaseErrors(async () => {
        await writer.updateTable("score_contract").set({ head, seen_at: at }).execute();
      }),
    readVersion: () =>
      withDatabaseErrors(
        async () => (await reader.selectFrom("score_contract").select("version").executeTakeFirst())?.version,
      ),
    read: () => withDatabaseErrors(() => readScores(database)),
    readRows: (stage, known) => withDatabaseErrors(() => readRows(reader, stage, known)),
    storeTree: (snapshot) => withDatabaseErrors(() => storeTree(database, snapshot)),
    openTree: (stage) => openTree(database, stage),
  };
}

async function begin({ writer, claim }: Database, contract: ContractIdentity): Promise<IndexedChain> {
  await claim(writer);
  const { vm, chainId, address } = contract;
  const known = await writer.selectFrom("score_contract").selectAll().executeTakeFirst();
  if (known === undefined) {
    const progress = { height: 0, block_hash: "", version: 0, differences: 0, head: 0, seen_at: 0, bridge_id: null };
    await writer
      .insertInto("score_contract")
      .values({ id: 1, vm, chain_id: chainId, address, ...progress })
      .execute();
    return { chainId, height: 0, blockHash: "" };
  }
  if (known.chain_id === chainId && known.address === address)
    return { chainId, height: known.height, blockHash: known.block_hash };
  throw new VipError(`the database holds the scores of ${known.address} on chain ${known.chain_id}`, {
    code: "CONFIG_INVALID",
    metaMessages: [`Use another database for ${address} on chain ${chainId}.`],
  });
}

async function readScores({ engine, reader }: Database): Promise<StoredScores | undefined> {
  // Contract and stages in one state; SQLite's transactions always show one.
  const begun = reader.transaction();
  return (engine === "postgres" ? begun.setIsolationLevel("repeatable read") : begun).execute(async (transaction) => {
    const row = await transaction.selectFrom("score_contract").selectAll().executeTakeFirst();
    if (row === undefined) return undefined;
    const stages = await transaction.selectFrom("score_stages").selectAll().orderBy("stage").execute();
    const { vm, chain_id: chainId, address, height, block_hash: blockHash, version, differences } = row;
    return {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `begin`
      contract: { vm: vm as Vm, chainId, address },
      bridgeId: row.bridge_id?.readBigUInt64BE(),
      height,
      blockHash,
      version,
      differences,
      seen: { head: row.head, at: row.seen_at },
      stages: stages.map(storedStage),
    };
  });
}

function storedStage(row: Tables["score_stages"]): StoredStage {
  return {
    stage: toStage(row.stage.readBigUInt64BE()),
    total: row.total.readBigUInt64BE(),
    accounts: row.account_count,
    revision: row.revision?.readBigUInt64BE(),
    isFinalized: row.is_finalized === 1,
    digest: row.digest ?? undefined,
    height: row.height,
    firstPart: row.first_part,
    lastPart: row.last_part,
    root: row.root ?? undefined,
  };
}

/** Rows in a part: 4 MB. */
const rowsPerPart = 100_000;

/** Stored rows for each account, in parts written later, above which all rows of a stage are written again. */
const mostRewrites = 2;
/** Parts of a stage above which it is written again: reading each takes a request. */
const mostParts = 2_000;

async function apply(
  database: Kysely<Tables>,
  changes: readonly StageChange[],
  { height, blockHash }: { readonly height: number; readonly blockHash: string },
): Promise<void> {
  const known = await database.selectFrom("score_contract").select(["version", "differences"]).executeTakeFirst();
  if (known === undefined) throw databaseInvalid("the database has no scoring contract anymore");
  for (const change of changes) await applyChange(database, change, height);
  const version = changes.length === 0 ? known.version : versionAfter(known.version);
  const differences = changes.reduce((sum, change) => sum + change.differences, known.differences);
  await database.updateTable("score_contract").set({ height, block_hash: blockHash, version, differences }).execute();
}

async function applyChange(database: Kysely<Tables>, change: StageChange, height: number): Promise<void> {
  const stage = u64Bytes(change.stage);
  const known = await database.selectFrom("score_stages").selectAll().where("stage", "=", stage).executeTakeFirst();
  const parts = database.selectFrom("score_parts").where("stage", "=", stage);
  const { bytes, count } = await parts
    .select((row) => [
      sql<number>`coalesce(sum(length(${row.ref("rows")})), 0)`.as("bytes"),
      row.fn.countAll<number>().as("count"),
    ])
    .executeTakeFirstOrThrow();
  const isSmall = bytes <= StageRows.bytesOf(rowsPerPart + mostRewrites * change.accounts) && count < mostParts;
  const isAdded = known !== undefined && change.added !== undefined && isSmall && !change.isFinalized;
  const next = (known?.last_part ?? 0) + 1;
  let last = next - 1;
  for (const rows of (isAdded && change.added ? change.added : change.rows).pack(rowsPerPart)) {
    last += 1;
    await database
      .insertInto("score_parts")
      .values({ stage, part: last, rows: Buffer.from(rows) })
      .execute();
  }
  if (!isAdded) await database.deleteFrom("score_parts").where("stage", "=", stage).where("part", "<", next).execute();
  const { total, accounts, revision, isFinalized, digest } = change;
  const state = {
    total: u64Bytes(total),
    account_count: accounts,
    revision: revision === undefined ? null : u64Bytes(revision),
    is_finalized: Number(isFinalized),
    height,
    digest: digest ?? null,
    first_part: isAdded ? (known?.first_part ?? next) : next,
    last_part: last,
  };
  await database
    .insertInto("score_stages")
    .values({ stage, ...state, root: null })
    .onConflict((conflict) => conflict.column("stage").doUpdateSet(state))
    .execute();
}

async function readRows(
  database: Kysely<Tables>,
  { stage, firstPart, lastPart, accounts, total }: StoredStage,
  known?: KnownRows,
): Promise<StageRows | undefined> {
  let rows = known?.rows ?? StageRows.none;
  // Small parts are merged with each other first: a merge takes as long as the larger side.
  let later = StageRows.none;
  // One by one: a stage may have more than fits into one answer.
  for (let part = (known?.lastPart ?? firstPart - 1) + 1; part <= lastPart; part += 1) {
    const query = database.selectFrom("score_parts").select("rows").where("stage", "=", u64Bytes(stage));
    const read = await query.where("part", "=", part).executeTakeFirst();
    // The follower has written the stage again meanwhile.
    if (read === undefined) return undefined;
    later = later.merge(StageRows.unpack(read.rows));
    if (part < lastPart && later.size * 8 < rows.size) continue;
    [rows, later] = [rows.merge(later), StageRows.none];
  }
  if (rows.size !== accounts || (known === undefined && rows.total() !== total))
    throw databaseInvalid(`the rows of stage ${stage} are not those of its total`);
  return rows;
}
