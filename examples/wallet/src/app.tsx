import { useQuery } from "@tanstack/react-query";
import { decodeAddress } from "@vipscore/indexer-client/address";
import { Claims } from "./claims.tsx";
import { Nfts } from "./nfts.tsx";
import { readRollups } from "./rollups.ts";
import { Standing } from "./standing.tsx";

const once = { staleTime: Infinity, refetchInterval: false } as const;

export function App() {
  const typed = new URLSearchParams(location.search).get("account")?.trim() ?? "";
  const account = decode(typed);
  const { data: rollups, error } = useQuery({ queryKey: ["rollups"], queryFn: readRollups, ...once });
  const problem = typed === "" || account ? error?.message : "This is not an address: 0x and 40 hex digits, or init1…";
  return (
    <main>
      <h1>Wallet</h1>
      {/* A plain form: it loads the page with ?account=, which is also the link to share. */}
      <form>
        <label htmlFor="account">Address, 0x… or init1…</label>
        <input id="account" name="account" defaultValue={typed} autoCapitalize="none" aria-describedby="fault" />
        <button>Show</button>
      </form>
      <p id="fault" className="fault" role="alert">
        {problem}
      </p>
      <div className="cards">
        {account &&
          rollups?.map((rollup) => (
            <section key={rollup.name} aria-label={rollup.name}>
              <h2>{rollup.name}</h2>
              <Standing rollup={rollup} account={account} />
              <Claims rollup={rollup} account={account} />
            </section>
          ))}
      </div>
      {account && rollups && <Nfts rollups={rollups} account={account} />}
    </main>
  );
}

/** Returns an address in one spelling; undefined if it is not one. */
function decode(typed: string): string | undefined {
  try {
    return decodeAddress(typed);
  } catch {
    return undefined;
  }
}
