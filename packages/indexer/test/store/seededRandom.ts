/** Numbers from 0 to 1, the same for the same seed: `FUZZ_SEED`, or one of chance. Tests tell it in their names. */
export function seededRandom(): { readonly seed: number; readonly random: () => number } {
  const seed = Number(process.env["FUZZ_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
  let state = seed >>> 0;
  const random = () => {
    // A linear congruential generator with the constants of Numerical Recipes; its upper bits are good enough for tests.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return { seed, random };
}
