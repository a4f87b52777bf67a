import type { Kysely } from "kysely";
import type { StoredTree } from "@vipscore/snapshot";
import { inChunks, u64Bytes, versionAfter, type Database } from "../database.ts";
import { withDatabaseErrors } from "../databaseErrors.ts";
import type { Tables } from "../tables.ts";
import type { StageTree } from "./scores.ts";

/** Sets the bridge whose trees are stored. Those of another one go: each leaf has the bridge's ID. */
export async function setBridge(writer: Database["writer"], bridgeId: bigint): Promise<void> {
  const id = u64Bytes(bridgeId);
  const known = await writer.selectFrom("score_contract").select("bridge_id").executeTakeFirst();
  if (known?.bridge_id?.equals(id) === true) return;
  await writer.transaction().execute(async (transaction) => {
    await transaction.deleteFrom("score_trees").execute();
    await transaction.updateTable("score_stages").set({ root: null }).execute();
    await transaction.updateTable("score_contract").set({ bridge_id: id }).execute();
    await raiseVersion(transaction);
  });
}

export async function storeTree({ writer, claim }: Database, tree: StageTree): Promise<void> {
  const { root, parts } = tree;
  const stage = u64Bytes(tree.stage);
  const rows = parts.map(({ level, part, nodes }) => ({
    stage,
    level,
    part,
    first_node: Buffer.from(nodes.subarray(0, 32)),
    nodes: Buffer.from(nodes),
  }));
  await writer.transaction().execute(async (transaction) => {
    await claim(transaction);
    await transaction.deleteFrom("score_trees").where("stage", "=", stage).execute();
    for await (const chunk of inChunks(rows)) await transaction.insertInto("score_trees").values(chunk).execute();
    await transaction.updateTable("score_stages").set({ root }).where("stage", "=", stage).execute();
    await raiseVersion(transaction);
  });
}

async function raiseVersion(transaction: Kysely<Tables>): Promise<void> {
  const { version } = await transaction.selectFrom("score_contract").select("version").executeTakeFirstOrThrow();
  await transaction
    .updateTable("score_contract")
    .set({ version: versionAfter(version) })
    .execute();
}

/** Opens the stored tree of a stage. */
export function openTree({ reader }: Database, stage: bigint): StoredTree {
  const parts = reader.selectFrom("score_trees").where("stage", "=", u64Bytes(stage));
  return {
    read: (level, part) =>
      withDatabaseErrors(async () => {
        const query = parts.select("nodes").where("level", "=", level).where("part", "=", part);
        return (await query.executeTakeFirst())?.nodes;
      }),
    findLeaf: (hash) =>
      withDatabaseErrors(() => {
        const before = parts.where("level", "=", 0).where("first_node", "<=", Buffer.from(hash));
        return before.select(["part", "nodes"]).orderBy("first_node", "desc").limit(1).executeTakeFirst();
      }),
  };
}
