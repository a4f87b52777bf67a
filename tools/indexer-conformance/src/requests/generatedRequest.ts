import { nftRoot, type ApiRequest } from "../apiRules.ts";

/** A request with what it is about; the report counts by group. */
export interface GeneratedRequest extends ApiRequest {
  readonly group: string;
}

/** Parameters of a query by their names. */
export type Query = Readonly<Record<string, string>>;

/** A request of an NFT route; `path` is sent as it is. */
export function nftRequest(group: string, path: string, query: Query = {}): GeneratedRequest {
  return { group, path: nftRoot + path, query: String(new URLSearchParams(query)) };
}

/** Base64 with its padding, as keys are. */
export function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
