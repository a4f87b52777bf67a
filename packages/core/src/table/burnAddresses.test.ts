import { expect, test } from "vitest";
import { readText } from "../../test/readText.ts";
import { formatBech32, parseAccount } from "../account/readAccount.ts";
import { burnWarning } from "./burnAddresses.ts";

const dead = "0x000000000000000000000000000000000000dEaD";
const one = parseAccount(`0x${"1".padStart(40, "0")}`, { accountBytes: [20] });
const owned = "0xB1D34A44360A83900e70Eb8daa390BcC699dF20a";

test.each([
  ["0x…dEaD", `${dead},40\n${owned},50\n`, `have 44.44% of the total: ${dead}`],
  ["bech32", `${formatBech32(one)},1\n${owned},9999\n`, `have 0.01% of the total: ${one}`],
  ["several", `${one},1\n${dead},1\n${owned},2\n`, `have 50.00% of the total: ${dead}, ${one}`],
])("names burn addresses and their share: %s", async (_, csv, text) => {
  expect(burnWarning(await readText(csv))).toContain(text);
});

test("says nothing of a score of 0, nor of other accounts", async () => {
  expect(burnWarning(await readText(`${dead},0\n${owned},50\n0x${"a".padStart(40, "0")},1\n`))).toBeUndefined();
});
