/** One line of the gas report. */
export interface GasCase {
  readonly case: string;
  /** Gas of the whole transaction divided by its rows. */
  readonly gasPerScore: number;
  /** The same for the reference contract. */
  readonly reference: number;
  /** `gasPerScore / reference`. */
  readonly ratio: number;
  /** Maximum that `ratio` should reach; undefined if the ratio is only reported. */
  readonly target?: number;
}

/** Creates a line of the report. */
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
