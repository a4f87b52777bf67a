import { useQuery } from "@tanstack/react-query";
import { getAccount, getStages } from "@vipscore/indexer-client/scores";
import { Facts, grouped } from "./facts.tsx";
import { Fault, isNotServed } from "./fault.tsx";
import type { Rollup } from "./rollups.ts";

/** The account's score and rank in the newest stage of a rollup. */
export function Standing({ rollup, account }: { rollup: Rollup; account: string }) {
  const { data, error } = useQuery({
    queryKey: ["standing", rollup.name, account],
    queryFn: async ({ signal }) => {
      const [newest] = await getStages(rollup.indexer, { signal });
      return newest ? getAccount(rollup.indexer, newest.stage, account, { signal }) : null;
    },
  });
  if (isNotServed(error)) return <p>Its indexer follows no scores.</p>;
  return (
    <div aria-live="polite">
      <Fault what={`Scores of ${rollup.name}`} reads={[{ data, error }]} />
      {data === null && <p>No stage yet.</p>}
      {data && (
        <Facts
          of={{
            Stage: `${data.stage.stage}, ${data.stage.is_finalized ? "final" : "open"}`,
            Score: grouped(data.score),
            Rank: data.rank === null ? "none yet" : `${data.rank} of ${data.stage.accounts.toLocaleString()}`,
            Share: data.share.toLocaleString(undefined, { style: "percent", maximumFractionDigits: 2 }),
          }}
        />
      )}
    </div>
  );
}
