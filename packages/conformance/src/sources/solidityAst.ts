import { InputError } from "@vipscore/core";
import type { SolcInput, SolcOutput } from "./solc.ts";

/** A node of the syntax tree that solc writes, the parts of it that the checks read. */
interface AstNode {
  readonly nodeType: string;
  readonly id: number;
  /** Where it starts, in bytes, and its length. */
  readonly src: string;
  readonly name?: string;
  readonly abstract?: boolean;
  readonly contractKind?: string;
  readonly linearizedBaseContracts?: readonly number[];
  /** Of an import: as the file writes it, and the file that it means. */
  readonly file?: string;
  readonly absolutePath?: string;
  readonly typeDescriptions?: { readonly typeIdentifier?: string | null };
  /** What a name means. */
  readonly referencedDeclaration?: number | null;
}

/** A contract that can be deployed. */
export interface Contract {
  readonly name: string;
  readonly file: string;
  /** Itself and all that it inherits. */
  readonly bases: readonly { readonly name: string; readonly file: string }[];
}

/** solc's warnings of a variable, or of a type in a mapping or an array, that has 2^64 slots or more. */
const hugeStorage = new Set(["3408", "7325"]);

/** Types of functions that run other code on the contract's storage, or end it; calls of a library's external functions too. */
const dangerousTypes: Readonly<Record<string, string>> = {
  t_function_baredelegatecall: "delegatecall",
  t_function_barecallcode: "callcode",
  t_function_delegatecall: "an external function of a library, which runs by delegatecall",
  t_function_selfdestruct: "selfdestruct",
};

/** The syntax trees of all files that solc compiled. */
export class Ast {
  readonly #input: SolcInput;
  readonly #output: SolcOutput;
  readonly #nodes = new Map<number, { readonly node: AstNode; readonly file: string }>();

  /** @param output - With the trees of all files. */
  constructor(input: SolcInput, output: SolcOutput) {
    this.#input = input;
    this.#output = output;
    for (const file of Object.keys(input.sources)) {
      for (const node of nodesIn(this.#treeOf(file))) this.#nodes.set(node.id, { node, file });
    }
  }

  #treeOf(file: string): unknown {
    const tree = this.#output.sources?.[file]?.ast;
    if (tree === undefined) throw new InputError(`solc shows no syntax tree of ${file}`);
    return tree;
  }

  imports(file: string): readonly { readonly written: string; readonly target: string }[] {
    return [...nodesIn(this.#treeOf(file))].flatMap(({ nodeType, file: written = "", absolutePath: target = "" }) =>
      nodeType === "ImportDirective" ? [{ written, target }] : [],
    );
  }

  contracts(): readonly Contract[] {
    return [...this.#nodes.values()].flatMap(({ node, file }) => {
      if (node.nodeType !== "ContractDefinition" || node.contractKind !== "contract" || node.abstract === true)
        return [];
      const bases = (node.linearizedBaseContracts ?? []).flatMap((id) => this.#nodes.get(id) ?? []);
      const named = bases.map((base) => ({ name: base.node.name ?? "", file: base.file }));
      return [{ name: node.name ?? "", file, bases: named }];
    });
  }

  /**
   * Returns a line, with file and line number, for each place in a file that may reach private storage, and for each in functions
   * that it calls in the files that `isFollowed` names.
   */
  dangersIn(file: string, isFollowed: (file: string) => boolean): readonly string[] {
    const found = new Set<string>();
    const followed = new Set<number>();
    const walk = (tree: unknown, inFile: string): void => {
      for (const node of nodesIn(tree)) {
        const danger = dangerOf(node);
        if (danger !== undefined)
          found.add(`${inFile}:${this.#line(inFile, Number.parseInt(node.src, 10))}: ${danger}`);
        const called = this.#nodes.get(node.referencedDeclaration ?? 0);
        if (called === undefined || followed.has(called.node.id) || !isFollowed(called.file)) continue;
        followed.add(called.node.id);
        if (/^(?:Function|Modifier)Definition$/.test(called.node.nodeType)) walk(called.node, called.file);
      }
    };
    walk(this.#treeOf(file), file);
    for (const { errorCode = "", sourceLocation } of this.#output.errors ?? []) {
      if (!hugeStorage.has(errorCode) || sourceLocation?.file !== file) continue;
      found.add(
        `${file}:${this.#line(file, sourceLocation.start)}: a variable of 2^64 slots or more, which can reach any slot`,
      );
    }
    return [...found];
  }

  /** The number of the line of a place, in bytes. */
  #line(file: string, start: number): number {
    const content = Buffer.from(this.#input.sources[file]?.content ?? "");
    return content.subarray(0, start).filter((byte) => byte === newline).length + 1;
  }
}

const newline = 0x0a;

function dangerOf({ nodeType, typeDescriptions }: AstNode): string | undefined {
  if (nodeType === "InlineAssembly") return "inline assembly";
  if (nodeType === "StorageLayoutSpecifier") return "a storage layout of its own";
  const [type = ""] = /^t_function_[a-z]+/.exec(typeDescriptions?.typeIdentifier ?? "") ?? [];
  return dangerousTypes[type];
}

/** Returns a node and all below it. */
function* nodesIn(tree: unknown): Generator<AstNode> {
  if (typeof tree !== "object" || tree === null) return;
  if ("nodeType" in tree && "src" in tree) yield tree as AstNode;
  for (const value of Object.values(tree)) yield* nodesIn(value);
}
