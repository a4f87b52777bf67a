import { join } from "node:path";
import type { CollectOptions, PolicySource, SourceData, SourceRow } from "../sources/policySource.ts";
import { BlockDigests, hashSource } from "./blockDigests.ts";
import { maxPartRows, partFiles, PartWriter } from "./partWriter.ts";

/** Writes the rows of a source without heights into the folder of a run. */
export async function writeSource(
  { name, kind, columns }: Pick<PolicySource, "name" | "kind" | "columns">,
  batches: AsyncIterable<readonly SourceRow[]>,
  { folder, signal }: CollectOptions,
): Promise<SourceData> {
  const path = join(folder, name);
  const writer = await PartWriter.open(path, columns);
  const digests = new BlockDigests(false);
  const parts: string[] = [];
  let rows = 0;
  const finish = async (lines: string): Promise<void> => {
    const part = `part-${parts.length}`;
    await writer.finish(part, lines);
    parts.push(part);
  };
  let lines: string;
  try {
    for await (const batch of batches) {
      signal?.throwIfAborted();
      await writer.add(batch);
      digests.add(batch);
      rows += batch.length;
      if (writer.rows >= maxPartRows) await finish("");
    }
    lines = digests.take();
    if (rows > 0) await finish(lines);
  } finally {
    writer.close();
  }
  return {
    name,
    kind,
    columns,
    ...partFiles(path, parts),
    lastHeight: undefined,
    rows,
    digest: hashSource(columns).update(lines).digest("hex"),
  };
}
