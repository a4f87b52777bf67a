import type { TokenRow } from "../store/store.ts";
import { bech32Text } from "./bech32Text.ts";

/**
 * Creates the writer of the tokens of a page, in JSON as the API writes it, field by field in the recorded order. What
 * tokens share is written once: the fields of their collection, of their owner and of their block. A page of a thousand
 * tokens then takes a fraction of the time of `JSON.stringify`.
 *
 * @returns a function that throws RangeError for an owner that is not an address.
 */
export function createTokenJson(): (row: TokenRow) => string {
  const collections = new Map<string, string>();
  const owners = new Map<string, string>();
  const blocks = new Map<number, string>();
  return ({ collectionAddr, collectionName, objectAddr = "", owner, tokenId, uri, height, timestamp }) => {
    let collection = collections.get(collectionAddr);
    if (collection === undefined) {
      collection =
        `{"collection_addr":"${collectionAddr}","collection_name":${JSON.stringify(collectionName)},` +
        `"collection_origin_name":"","object_addr":"`;
      collections.set(collectionAddr, collection);
    }
    let holder = owners.get(owner);
    if (holder === undefined) {
      holder = `","owner":"${bech32Text(owner)}","nft":{"token_id":`;
      owners.set(owner, holder);
    }
    let block = blocks.get(height);
    if (block === undefined) {
      block = `},"height":${height},"timestamp":${JSON.stringify(timestamp)}}`;
      blocks.set(height, block);
    }
    return `${collection}${objectAddr}${holder}${JSON.stringify(tokenId)},"uri":${JSON.stringify(uri)}${block}`;
  };
}
