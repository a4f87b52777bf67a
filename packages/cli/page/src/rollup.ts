/** What the page reads: `public/rollup.json`, which `npm run local` writes for the local chain. */
export interface Rollup {
  readonly vm: "evm" | "move" | "wasm";
  /** JSON-RPC on EVM, else REST, without a slash at the end. Everybody sees it: no token of a provider. */
  readonly url: string;
  readonly contract: string;
  /** The NFT indexer API; absent without one. */
  readonly indexerUrl?: string;
}

/** @throws Error that names the field of `public/rollup.json` that is missing or wrong. */
export async function readRollup(): Promise<Rollup> {
  const rollup = JSON.parse(await readText("/rollup.json")) as Rollup;
  for (const name of ["url", "contract"] as const)
    if (!rollup[name]) throw new Error(`public/rollup.json names no ${name}: npm run local`);
  if (!/^(?:evm|move|wasm)$/.test(rollup.vm)) throw new Error("vm of public/rollup.json is not evm, move or wasm");
  return rollup;
}

/** @throws Error with the URL and the server's answer, unless the status is 200. */
export async function readText(url: string, init?: RequestInit): Promise<string> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: status ${response.status}, ${text}`);
  return text;
}
