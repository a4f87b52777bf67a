import { expect, test } from "vitest";
import { ScoreTable } from "@vipscore/core";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { pushAll, rowsOf } from "@vipscore/testkit/adapter/rows";
import { limitNode, limits, limitWays } from "@vipscore/testkit/faults/limitedNode";
import { hardhat } from "./evmChain.ts";

const rows = 120;
const chain = useChain(hardhat.start);

test.each(limits.flatMap((limit) => limitWays.map((way) => ({ way, limit, title: way.title, calls: limit.calls }))))(
  "$title, above $calls: a push writes every score",
  async ({ way, limit, title }) => {
    const owner = await chain().fund();
    const { identity } = await owner.deploy("ours");
    const timeOf = async (url: string, score: bigint): Promise<number> => {
      const startedAt = performance.now();
      const table = ScoreTable.from(rowsOf(rows).map((row) => ({ ...row, score })));
      const events = await pushAll(await owner.connect(identity.address, { url }), table);
      expect(events.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true, accounts: rows } });
      return Math.round(performance.now() - startedAt);
    };
    const unlimitedMs = await timeOf(chain().url, 1n);
    await using node = await limitNode(chain().url, way, limit);
    const limitedMs = await timeOf(node.url, 2n);
    console.info(
      `${title}, above ${limit.calls}: ${limitedMs} ms, unlimited ${unlimitedMs} ms, refused ${node.refused()}`,
    );
  },
);
