/** One line of the gas report. */
export interface GasCase {
  readonly case: string;
  /** Gas of the whole transaction over its rows. */
  readonly gasPerScore: number;
  /** The same of the reference contract. */
  readonly reference: number;
  /** `gasPerScore / reference`. */
  readonly ratio: number;
  /** The most that `ratio` should be; absent where it is only reported. */
  readonly target?: number;
}

/** Makes a line of the report. */
export function gasCase(name: string, gasPerScore: number, reference: number, target?: number): GasCase {
  return {
    case: name,
    gasPerScore: round(gasPerScore, 1),
    reference,
    ratio: round(gasPerScore / reference, 4),
    ...(target === undefined ? {} : { target }),
  };
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
