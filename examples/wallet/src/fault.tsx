import { IndexerRequestError } from "@vipscore/indexer-client";

/** Says what cannot be read, while everything else is shown. */
export function Fault({ what, reads }: { what: string; reads: readonly { error: Error | null; data: unknown }[] }) {
  const error = reads.find((read) => read.error !== null)?.error;
  if (!error) return null;
  const code = error instanceof IndexerRequestError ? error.code : error.message;
  const isOld = reads.some(({ data }) => data !== undefined);
  return <p className="fault">{`${what} cannot be read now: ${code}${isOld ? ". What is shown is older." : "."}`}</p>;
}

/** True if an indexer does not serve such a thing at all. */
export function isNotServed(error: Error | null): boolean {
  return error instanceof IndexerRequestError && error.status === 404;
}
