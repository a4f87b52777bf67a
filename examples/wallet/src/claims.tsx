import { useQuery } from "@tanstack/react-query";
import { getClaims, type AccountClaims, type Claim } from "@vipscore/indexer-client/scores";
import { Facts, grouped } from "./facts.tsx";
import { Fault, isNotServed } from "./fault.tsx";
import type { Rollup } from "./rollups.ts";

/** What the account can claim on L1 for its scores in a rollup; nothing if its indexer reads no L1. */
export function Claims({ rollup, account }: { rollup: Rollup; account: string }) {
  const { data, error } = useQuery({
    queryKey: ["claims", rollup.name, account],
    queryFn: ({ signal }) => getClaims(rollup.indexer, account, { signal }),
    refetchInterval: ({ state }) => (isNotServed(state.error) ? false : 10_000),
  });
  if (isNotServed(error)) return null;
  return (
    <div aria-live="polite">
      <Fault what={`Rewards of ${rollup.name}`} reads={[{ data, error }]} />
      {data?.registrations.map(({ version, claim, waits_for: wait }) => (
        <div key={version}>
          <h3>Rewards{data.registrations.length > 1 && ` of registration ${version}`}</h3>
          {claim && <Claimable l1={data.l1} claim={claim} file={`claim-${data.l1.bridge_id}-${version}.json`} />}
          <p>{wait ?? (claim === null && "Nothing to claim now.")}</p>
        </div>
      ))}
    </div>
  );
}

function Claimable({ l1, claim, file }: { l1: AccountClaims["l1"]; claim: Claim; file: string }) {
  const coins = (amount: string) => `${grouped(amount)} ${l1.denom}`;
  const json = JSON.stringify(claim.transaction, undefined, 2);
  const sign = `initiad tx sign ${file} --from KEY --chain-id ${l1.chain_id} --node L1_RPC > signed.json`;
  return (
    <>
      <Facts
        of={{
          "To claim": `stage ${claim.stages.join(", ")}`,
          Pays: coins(claim.pays),
          Loses: coins(claim.loses),
          Opens: `${coins(claim.opens)}, which later claims pay`,
          ...(claim.never_paid === "0" ? {} : { "Never paid": coins(claim.never_paid) }),
        }}
      />
      <ol>
        <li>
          <a href={`data:application/json,${encodeURIComponent(json)}`} download={file}>
            Save the transaction
          </a>
        </li>
        <li>
          Sign it: <code>{sign}</code>
        </li>
        <li>
          Send it on L1: <code>initiad tx broadcast signed.json --node L1_RPC</code>
        </li>
      </ol>
    </>
  );
}
