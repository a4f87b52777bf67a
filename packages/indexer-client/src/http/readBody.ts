import { badAnswer } from "./indexerErrors.ts";

/**
 * Reads a whole body. Counts bytes after decompression, and keeps at most `maxBytes`.
 *
 * @throws IndexerBadAnswerError if the body is longer; any error of the stream.
 */
export async function readBody({ body, status }: Response, maxBytes: number, url: string): Promise<Blob> {
  const chunks: BlobPart[] = [];
  let size = 0;
  const reader = body?.getReader();
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    size += part.value.length;
    if (size > maxBytes) throw badAnswer(url, `sent more than ${maxBytes} bytes`, status);
    chunks.push(part.value);
  }
  return new Blob(chunks);
}
