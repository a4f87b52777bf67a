/**
 * Returns the answer to a request, or undefined if it fails with an error that means that the item does not exist.
 *
 * @example
 * const account = await absentIf(isNotFound, rest.get(path, readAccount));
 */
export async function absentIf<T>(isAbsence: (error: unknown) => boolean, request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}
