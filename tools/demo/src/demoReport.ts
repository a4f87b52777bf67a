import type { DemoOutput } from "./demoOutput.ts";
import { group } from "./numbers.ts";

/** One line of what the demo showed. */
export interface DemoStep {
  readonly step: string;
  readonly shown: string;
  readonly milliseconds: number;
}

/** Runs the demo's steps one after the other and keeps what each showed. */
export class DemoReport {
  readonly steps: DemoStep[] = [];
  readonly #output: DemoOutput;
  readonly #name: string;

  /** @param name Stands before each step while it runs. */
  constructor(output: DemoOutput, name: string) {
    this.#output = output;
    this.#name = name;
  }

  /** Runs a step; what it gives is what it showed. A step that does not show it throws, and that ends the demo. */
  async run(step: string, work: () => Promise<string>): Promise<void> {
    this.#output.note(this.#output.paint("bold", `▸ ${this.#name}: ${step}`));
    const startedAt = performance.now();
    const shown = await work();
    this.steps.push({ step, shown, milliseconds: Math.round(performance.now() - startedAt) });
    this.#output.note(`  ${shown}`);
  }

  /** What happened, as a table. */
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

/** Ends the demo when something is not as it claims; that is a fault of vipscore, not of its user. */
export function expectThat(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(`the demo does not show what it claims: ${otherwise}`);
}
