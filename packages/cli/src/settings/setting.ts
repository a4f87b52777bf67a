/** A setting's value and where it came from, as a person knows the place: `--endpoint`, `CHAIN_ID`, a file's name. */
export interface Setting<T> {
  readonly value: T;
  readonly source: string;
}

/** The first place that has a value; an empty text counts as none, as CI systems pass unset variables. */
export function firstSetting(
  ...places: readonly (readonly [source: string, value: string | undefined])[]
): Setting<string> | undefined {
  for (const [source, value] of places) {
    if (value !== undefined && value.trim() !== "") return { value: value.trim(), source };
  }
  return undefined;
}
