/** A setting's value and its source, for messages: `--endpoint`, `CHAIN_ID`, a file's name. */
export interface Setting<T> {
  readonly value: T;
  readonly source: string;
}

/** Returns the first value that is set; empty text counts as unset, because CI systems pass unset variables that way. */
export function firstSetting(
  ...places: readonly (readonly [source: string, value: string | undefined])[]
): Setting<string> | undefined {
  for (const [source, value] of places) {
    if (value !== undefined && value.trim() !== "") return { value: value.trim(), source };
  }
  return undefined;
}
