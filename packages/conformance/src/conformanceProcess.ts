import { once } from "node:events";
import { takeJob } from "@vipscore/core/childJob";
import { startHardhat } from "@vipscore/localnet";
import { openSubject } from "./openSubject.ts";
import { reportOf, type ConformanceReport } from "./report.ts";
import { runConformance, type ScenarioResult } from "./runConformance.ts";
import { scenarios } from "./scenarios/scenarios.ts";
import { checkSources } from "./sources/checkSources.ts";
import type { ConformanceJob, ConformanceReply } from "./testContract.ts";

/** A separate process for one contract. */
takeJob(test, () => process.exit());
// Without a parent, nobody reads the report.
process.once("disconnect", () => process.exit());

async function test(
  { code, seed, isForeign, area, exceptions, sources }: ConformanceJob,
  reply: (reply: ConformanceReply) => Promise<void>,
): Promise<ConformanceReport> {
  const started = performance.now();
  const path = sources === true ? undefined : sources;
  const construction = sources === undefined ? undefined : await checkSources(path, code);
  const answered = once(process, "message");
  await reply({ asksFor: "chain" });
  const [{ url }] = (await answered) as [{ readonly url?: string }];
  const endpoint = url ?? (await startHardhat()).rpcUrl;
  const subject = await openSubject({ url: endpoint, code, seed, mayBeMinievm: isForeign });
  const chosen = scenarios.filter((scenario) => area === undefined || scenario.area === area);
  const results: ScenarioResult[] = [];
  for await (const result of runConformance(subject, { scenarios: chosen, exceptions: new Set(exceptions.keys()) })) {
    results.push(result);
    await reply(result);
  }
  const seconds = Math.round((performance.now() - started) / 1_000);
  return reportOf(subject, code, results, { exceptions, construction, seconds });
}
