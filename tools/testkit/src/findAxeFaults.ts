import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";

/** A rule that a page breaks, and where. */
export interface AxeFault {
  readonly id: string;
  readonly impact: string | null | undefined;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string | undefined }[];
}

/**
 * Returns the rules of axe that a page breaks as it is now.
 *
 * @throws Error if the page keeps no more than `mostPasses` rules: then axe found hardly anything to check.
 */
export async function findAxeFaults(page: Page, mostPasses = 15): Promise<readonly AxeFault[]> {
  await page.evaluate(axe.source);
  const { violations, passes } = await page.evaluate<AxeResults>("axe.run()");
  if (passes.length <= mostPasses) throw new Error(`axe found ${passes.length} rules that the page keeps`);
  return violations.map(({ id, impact, nodes }) => ({
    id,
    impact,
    nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
  }));
}
