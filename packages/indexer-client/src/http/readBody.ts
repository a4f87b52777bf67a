import { badAnswer } from "./indexerErrors.ts";

/**
 * A body, whole. Bytes are counted as they come out of any compression, and no more than `maxBytes` are held.
 *
 * @throws IndexerBadAnswerError when the body is longer; whatever ends the stream early.
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
