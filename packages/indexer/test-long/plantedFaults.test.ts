import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compareWithRules, startServer, type RunningServer } from "../test/conformance/comparedServer.ts";
import { createSqlite } from "../test/conformance/databases.ts";
import { sendTo, type Comparison } from "../test/conformance/runRequests.ts";
import { plantedFaults } from "./plantedFaults.ts";

describe("the rules detect a server when", () => {
  let running: RunningServer;
  let unaltered: readonly string[];

  beforeAll(async () => {
    running = await startServer(createSqlite);
    unaltered = differing(await compareWithRules(sendTo(running.url)));
  });

  afterAll(() => running.stop());

  test.each(plantedFaults)("$what", async ({ plant }) => {
    const found = differing(await compareWithRules(plant(sendTo(running.url))));
    // A difference that also occurs without the fault is not evidence of it.
    expect(found.filter((request) => !unaltered.includes(request))).not.toEqual([]);
  });
});

/** The requests whose answers differ from the rules. */
function differing({ differences }: Comparison): readonly string[] {
  return differences.map(({ request }) => `${request.path}?${request.query}`);
}
