import { parseAccount } from "@vipscore/core/values";
import { claim, scoreNow, tokens } from "./answers.ts";
import type { Rollup } from "./rollup.ts";

interface Env {
  /** The files beside the worker. */
  readonly ASSETS: { readonly fetch: typeof fetch };
}

export default {
  async fetch(request: Request, { ASSETS }: Env): Promise<Response> {
    const asset = (path: string) => ASSETS.fetch(new URL(path, request.url));
    const rollup = (await (await asset("/rollup.json")).json()) as Rollup;
    const typed = new URL(request.url).searchParams.get("account") ?? "";
    const account = parseAccount(typed, { accountBytes: [20, 32] });
    const proofs = await asset("/proofs.json");
    return Response.json(
      await Promise.all([scoreNow(rollup, account), claim(proofs, account), tokens(rollup, account)]),
    );
  },
};
