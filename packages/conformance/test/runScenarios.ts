import { beforeAll, describe, test } from "vitest";
import type { Vm } from "@vipscore/core";
import type { Difference } from "../src/scenario.ts";
import { scenarios } from "../src/scenarios/scenarios.ts";
import { nodesOf, type OpenNode } from "./nodes.ts";

/** The report's data for a test. */
export interface ConformanceMeta {
  readonly id: string;
  readonly name: string;
  readonly area: string;
  readonly node: string;
  readonly rules: readonly string[];
  readonly reference: string | undefined;
  readonly differences: readonly Difference[];
}

declare module "vitest" {
  interface TaskMeta {
    conformance?: ConformanceMeta;
  }
}

/** Creates a test for every scenario and node of a VM. A node that does not start fails all of its tests. */
export function runScenarios(vm: Vm): void {
  describe.each([...nodesOf(vm)])("$name", (tested) => {
    let running: OpenNode;
    // The returned function runs after the last test, so only what was started is stopped.
    beforeAll(async () => {
      running = await tested.open();
      return () => running.stop();
    });

    for (const { id, name, area, rules, reference, differences = [], run } of scenarios) {
      const meta = { conformance: { id, name, area, node: tested.name, rules, reference, differences } };
      test(`${id}: ${name}`, { meta }, () => run(running.subject));
    }
  });
}
