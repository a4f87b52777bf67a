import { parseAccount } from "@vipscore/core/values";
import rollup from "../../public/rollup.json";
import { scoreNow } from "../answers.ts";
import type { Rollup } from "../rollup.ts";
import { Claim } from "./claim.tsx";

/** Reads the score on the server, for each request. */
export default async function Page({ searchParams }: { searchParams: Promise<{ account: string }> }) {
  const account = parseAccount((await searchParams).account, { accountBytes: [20, 32] });
  return (
    <ul>
      <li>{(await scoreNow(rollup as Rollup, account)).join(": ")}</li>
      <Claim rollup={rollup as Rollup} account={account} />
    </ul>
  );
}
