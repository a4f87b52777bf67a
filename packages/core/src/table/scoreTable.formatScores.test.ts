import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { readText } from "../../test/readText.ts";
import { parseAccount } from "../account/readAccount.ts";
import { u64Max } from "../stage.ts";
import { formatScores, ScoreTable } from "./scoreTable.ts";

const account = parseAccount("0xc5ea55d90Ae84e307622f1b8B13535Ec3Eff0475", { accountBytes: [20] });
const table = ScoreTable.from([{ account, score: u64Max }]);

test.each([
  [{}, "0xc5ea55d90Ae84e307622f1b8B13535Ec3Eff0475,18446744073709551615"],
  [{ accounts: "hex" }, "0xc5ea55d90Ae84e307622f1b8B13535Ec3Eff0475,18446744073709551615"],
  [{ accounts: "bech32" }, "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6,18446744073709551615"],
] as const)("with %o it writes %s", async (options, line) => {
  expect(await text(Readable.from(formatScores([table], options)))).toBe(`address,score\n${line}\n`);
});

test("a table without rows results in only the header", async () => {
  expect(await text(Readable.from(formatScores([])))).toBe("address,score\n");
});

test("many pages are written in pieces of whole lines and read back as the same table", async () => {
  const rows = Array.from({ length: 5000 }, (_, index) => ({
    account: parseAccount(`0x${(index + 1).toString(16).padStart(40, "0")}`, { accountBytes: [20] }),
    score: BigInt(index),
  }));
  const pages = (async function* () {
    yield rows.slice(0, 3000);
    yield rows.slice(3000);
  })();
  const pieces: string[] = [];
  for await (const piece of formatScores(pages)) pieces.push(piece);
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.every((piece) => piece.endsWith("\n"))).toBe(true);
  expect((await readText(pieces.join(""))).digest()).toBe(ScoreTable.from(rows).digest());
});
