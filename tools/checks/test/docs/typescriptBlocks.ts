import { dirname, join } from "node:path";
import ts from "typescript";
import { readMarkdownFiles } from "./markdownFile.ts";

/** A block of TypeScript in a Markdown file. */
export interface TypescriptBlock {
  /** Start, as `README.md:12`. */
  readonly place: string;
  /** Path of a module in the folder of its file, which does not exist: imports are resolved from there. */
  readonly path: string;
  readonly text: string;
}

/** Lists the TypeScript blocks of all Markdown files below a folder. */
export function listTypescriptBlocks(root: string): readonly TypescriptBlock[] {
  return readMarkdownFiles(root).flatMap(({ path, blocks }) =>
    blocks
      .filter(({ language }) => language === "ts")
      .map(({ number, text }) => ({
        place: `${path}:${number}`,
        path: join(root, dirname(path), `example-${number}.ts`),
        text,
      })),
  );
}

/**
 * Typechecks blocks as modules of this repository, and returns a line for each fault.
 *
 * @param given Path of a declaration file with the names that blocks use without declaring them.
 */
export function typescriptFaults(blocks: readonly TypescriptBlock[], given: string): readonly string[] {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.esnext.disposable.d.ts"],
    types: ["node"],
    customConditions: ["@vipscore/source"],
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    moduleDetection: ts.ModuleDetectionKind.Force,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
  };
  const texts = new Map(blocks.map(({ path, text }) => [path, text]));
  const files = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...files,
    fileExists: (path) => texts.has(path) || files.fileExists(path),
    readFile: (path) => texts.get(path) ?? files.readFile(path),
    getSourceFile: (path, language, ...rest) => {
      const text = texts.get(path);
      return text === undefined
        ? files.getSourceFile(path, language, ...rest)
        : ts.createSourceFile(path, text, language);
    },
  };
  const program = ts.createProgram([given, ...texts.keys()], options, host);
  return blocks.flatMap(({ place, path }) => {
    const file = program.getSourceFile(path);
    const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return found.map(({ messageText, start = 0 }) => {
      const line = file?.getLineAndCharacterOfPosition(start).line ?? 0;
      return `${place}  line ${line + 1}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
    });
  });
}
