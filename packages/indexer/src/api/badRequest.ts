/** An error answered with status 400 and this message as text. */
export class BadRequest extends Error {
  override readonly name: string = "BadRequest";
}
