import type { RuledOutPhrase } from "./glossary.ts";
import { proseOf } from "./proseOf.ts";

/** Returns the ruled out phrases in the prose of a file, as `path:line  phrase  instead`, in the order of the glossary. */
export function findPhrases(path: string, text: string, glossary: readonly RuledOutPhrase[]): readonly string[] {
  const prose = proseOf(path, text);
  return glossary.flatMap(({ phrase, instead }) =>
    [...prose.matchAll(patternOf(phrase))].map(
      ({ index }) => `${path}:${prose.slice(0, index).split("\n").length}  ${phrase}  use: ${instead}`,
    ),
  );
}

function patternOf(phrase: string): RegExp {
  return new RegExp(`(?<![\\w-])${phrase.split(" ").join("\\s+")}(?![\\w-])`, "gi");
}
