import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { tokensByAccount } from "@vipscore/indexer-client";
import { pageQuery } from "@vipscore/indexer-client/query";
import { Fault } from "./fault.tsx";
import { Picture } from "./picture.tsx";
import type { Rollup } from "./rollups.ts";

/** The account's NFTs of all rollups: a page of each, and with each "Load more" another one of those that go on. */
export function Nfts({ rollups, account }: { rollups: readonly Rollup[]; account: string }) {
  // A page is a query of its own, so that a rollup that fails or is slow holds up no other.
  const [steps, setSteps] = useState(() => rollups.map((rollup) => ({ rollup, round: 0, key: null as string | null })));
  const pages = useQueries({
    queries: steps.map(({ rollup: { indexer }, key }) => ({
      ...pageQuery(tokensByAccount(indexer, account, { orderBy: "height" }), { limit: 8, key }),
      refetchInterval: 15_000,
    })),
  });
  const reads = steps.map((step, index) => ({ ...step, page: pages[index]! }));
  const next = rollups.flatMap((rollup) => {
    const last = reads.findLast((read) => read.rollup === rollup);
    const key = last?.page.data?.nextKey ?? null;
    return last && key !== null ? [{ rollup, round: last.round + 1, key }] : [];
  });
  const rows = reads.flatMap(({ rollup, round, page }) =>
    (page.data?.items ?? []).map((token) => {
      const id = [rollup.name, token.collection_addr, token.nft.token_id].join();
      return { id, rollup, round, token, time: Date.parse(token.timestamp) };
    }),
  );
  // One that moved to another page while they were read is in both. The newest of a round is the first.
  const shown = [...new Map(rows.map((row) => [row.id, row])).values()];
  shown.sort((a, b) => a.round - b.round || b.time - a.time);
  const isReading = pages.some(({ isPending }) => isPending);
  return (
    <section aria-labelledby="nfts">
      <h2 id="nfts">NFTs</h2>
      <div role="status">
        {rollups.map((rollup) => {
          const own = reads.filter((read) => read.rollup === rollup);
          return <Fault key={rollup.name} what={`NFTs of ${rollup.name}`} reads={own.map(({ page }) => page)} />;
        })}
        <p>{isReading ? "Reading…" : `${shown.length} shown${next.length > 0 ? ", there are more" : ""}`}</p>
      </div>
      <ul>
        {shown.map(({ id, rollup, token }) => (
          <li key={id}>
            <Picture rollup={rollup.name} token={token} />
          </li>
        ))}
      </ul>
      {/* While it reads, the button keeps the focus. */}
      {(isReading || next.length > 0) && <button onClick={() => setSteps([...steps, ...next])}>Load more</button>}
    </section>
  );
}
