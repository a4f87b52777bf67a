import { group } from "@vipscore/core/values";
import type { DemoOutput } from "./demoOutput.ts";

/** One line of the demo's result. */
export interface DemoStep {
  readonly step: string;
  readonly shown: string;
  readonly milliseconds: number;
}

/** Runs the demo's steps in order and keeps the result of each. */
export class DemoReport {
  readonly steps: DemoStep[] = [];
  readonly #output: DemoOutput;
  readonly #name: string;

  /** @param name Precedes each step while it runs. */
  constructor(output: DemoOutput, name: string) {
    this.#output = output;
    this.#name = name;
  }

  /** Runs a step, which returns its result. A step that fails throws, which ends the demo. */
  async run(step: string, work: () => Promise<string>): Promise<void> {
    this.#output.note(this.#output.paint("bold", `▸ ${this.#name}: ${step}`));
    const startedAt = performance.now();
    const shown = await work();
    this.steps.push({ step, shown, milliseconds: Math.round(performance.now() - startedAt) });
    this.#output.note(`  ${shown}`);
  }

  /** Formats the results as a table. */
  table(): string {
    const width = Math.max(...this.steps.map(({ step }) => step.length));
    return this.steps
      .map(
        ({ step, shown, milliseconds }) =>
          `${step.padEnd(width)}  ${`${group(milliseconds)} ms`.padStart(10)}  ${shown}`,
      )
      .join("\n");
  }
}

/** Ends the demo if a condition does not hold; that is a bug in vipscore, not a user error. */
export function expectThat(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(`the demo does not show what it claims: ${otherwise}`);
}
