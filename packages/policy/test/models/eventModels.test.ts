import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import type { SourceColumn } from "../../src/index.ts";
import { alice, bob } from "../policyFolder.ts";
import { addTo, place, rowsSource, runExample } from "./exampleRun.ts";

const seed = fuzzSeed();
const accounts = fc.constantFrom(alice, bob, `0x${"ab".repeat(32)}`);

test("the example volume gives the scores of an independent model", async () => {
  const midnight = Date.UTC(2026, 10, 1) / 1000;
  const trade = fc.record({
    trader: accounts,
    volume: fc.oneof(fc.bigInt(0n, 6000n), fc.bigInt(0n, 10n ** 30n)),
    // Three days, and often the seconds around midnight.
    time: fc.oneof(fc.integer({ min: 0, max: 3 * 86_400 }), fc.constantFrom(86_399, 86_400, 172_799, 172_800)),
  });
  const columns: readonly SourceColumn[] = [
    { name: "trader", type: "address" },
    { name: "volume", type: "integer" },
    place("time"),
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(trade, { minLength: 20, maxLength: 150 }), async (trades) => {
      const days = new Map<string, bigint>();
      for (const { trader, volume, time } of trades) {
        const day = new Date((midnight + time) * 1000).toISOString().slice(0, 10);
        addTo(days, `${trader} ${day}`, volume);
      }
      const expected = new Map<string, bigint>();
      for (const [key, volume] of days) addTo(expected, key.split(" ")[0] ?? "", volume > 10_000n ? 10_000n : volume);
      const rows = trades.map(({ trader, volume, time }) => [trader, volume, BigInt(midnight + time)]);
      expect(await runExample("volume", [rowsSource("trades", columns, rows)])).toEqual(expected);
    }),
    { seed, numRuns: fuzzRuns(4) },
  );
});

test("the example game gives the scores of an independent model", async () => {
  const points: Readonly<Record<string, bigint>> = { quest: 50n, match: 10n, login: 1n };
  const action = fc.record({
    player: accounts,
    action: fc.constantFrom("quest", "match", "login", "chat", "Quest", "", "quest "),
  });
  const columns: readonly SourceColumn[] = [
    { name: "player", type: "address" },
    { name: "action", type: "text" },
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 150 }), async (actions) => {
      const expected = new Map<string, bigint>();
      for (const { player, action: done } of actions) {
        const score = points[done];
        if (score !== undefined) addTo(expected, player, score);
      }
      const rows = actions.map(({ player, action: done }) => [player, done]);
      expect(await runExample("game", [rowsSource("actions", columns, rows)])).toEqual(expected);
    }),
    { seed, numRuns: fuzzRuns(4) },
  );
});
