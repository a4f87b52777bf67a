import { nftRoot, type ApiRequest } from "../apiRules.ts";

/** A request and its topic; the report counts by group. */
export interface GeneratedRequest extends ApiRequest {
  readonly group: string;
}

/** Query parameters by name. */
export type Query = Readonly<Record<string, string>>;

/** A request of an NFT route; `path` is sent unchanged. */
export function nftRequest(group: string, path: string, query: Query = {}): GeneratedRequest {
  return { group, path: nftRoot + path, query: String(new URLSearchParams(query)) };
}

/** Base64 with padding, as in keys. */
export function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
