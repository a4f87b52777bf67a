import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { NftToken } from "@vipscore/indexer-client";
import { readMetadata } from "@vipscore/indexer-client/metadata";

/** A token with its picture, or with the reason why there is none. */
export function Picture({ rollup, token }: { rollup: string; token: NftToken }) {
  const { nft, collection_name: collection } = token;
  const { data: result } = useQuery({
    queryKey: ["metadata", nft.uri],
    queryFn: ({ signal }) => readMetadata(token, { signal }),
    staleTime: ({ state }) => (state.data?.ok ? Infinity : 60_000),
    refetchInterval: false,
  });
  const [broken, setBroken] = useState<string>();
  const { name, image } = result?.ok ? result.metadata : {};
  const reason = result?.ok === false ? result.reason : image === undefined ? "NO_IMAGE" : "IMAGE_NOT_LOADED";
  return (
    <figure>
      {image !== undefined && image !== broken ? (
        // The caption names it. Its host does not learn which page shows it.
        <img src={image} alt="" referrerPolicy="no-referrer" onError={() => setBroken(image)} />
      ) : (
        <p className="picture">{result === undefined ? "Reading…" : `No picture: ${reason}`}</p>
      )}
      <figcaption>
        {name}
        <div>
          {collection} {nft.token_id} on {rollup}
        </div>
      </figcaption>
    </figure>
  );
}
