import { proseOf } from "./proseOf.ts";

/** A phrase that the glossary of docs/guidelines.md rules out. */
export interface RuledOutPhrase {
  readonly phrase: string;
  /** The replacement that the glossary gives, as written there. */
  readonly instead: string;
}

/**
 * Reads the glossary of the guidelines: the phrases in backticks in the left column of its table. A phrase without
 * backticks needs judgment and is left to reviews.
 *
 * @throws Error if there is no glossary, or no phrase in it
 */
export function readGlossary(guidelines: string): readonly RuledOutPhrase[] {
  const [, section = ""] = guidelines.split("\n### Glossary\n");
  const phrases = section.split("\n").flatMap((line) => {
    const [, left = "", right = ""] = line.split("|");
    return [...left.matchAll(/`([^`]+)`/g)].map(([, phrase = ""]) => ({ phrase, instead: right.trim() }));
  });
  if (phrases.length === 0) throw new Error("docs/guidelines.md has no glossary with phrases in backticks");
  return phrases;
}

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
