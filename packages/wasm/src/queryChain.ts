import { NodeError, type ReadOptions } from "@vipscore/core";
import type { CometRpc } from "./cometRpc.ts";
import { QueryError } from "./cometErrors.ts";

/** A type of the chain's protobuf interface, as cosmjs-types has it. */
export interface Codec<T> {
  encode(message: T): { finish(): Uint8Array };
  decode(bytes: Uint8Array): T;
}

/** A query of the chain's protobuf interface. */
export interface ChainQuery<Request, Response> {
  /** E.g. `/cosmos.bank.v1beta1.Query/Balance`. */
  readonly path: string;
  readonly request: Pick<Codec<Request>, "encode">;
  readonly response: Pick<Codec<Response>, "decode">;
}

/**
 * Asks the chain at a height, the newest when absent.
 *
 * @throws QueryError when the chain refuses; NodeError.
 */
export async function queryChain<Request, Response>(
  comet: CometRpc,
  { path, request, response }: ChainQuery<Request, Response>,
  message: Request,
  { height, signal }: ReadOptions = {},
): Promise<Response> {
  const data = request.encode(message).finish();
  return comet.read(
    path,
    async (client) => {
      const at = height === undefined ? {} : { height: Number(height) };
      const answer = await client.abciQuery({ path, data, prove: false, ...at });
      const { code: abciCode = 0, codespace, log } = answer;
      if (abciCode !== 0) throw new QueryError(comet.endpoint, path, { abciCode, codespace, log: log ?? "" });
      if (height !== undefined && answer.height !== Number(height)) {
        throw new NodeError(`${comet.endpoint} answered ${path} with the state of another height`, {
          code: "NODE_BAD_RESPONSE",
          details: `asked for ${height}, got ${answer.height}`,
        });
      }
      return response.decode(answer.value);
    },
    signal,
  );
}
