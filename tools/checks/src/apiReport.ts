import ts from "typescript";
import type { PublicPackage } from "@vipscore/testkit/publicPackages";

/**
 * Describes what a package exports: the names of each entry, then each declaration once, without comments and private members.
 * Declarations that the exported ones use, but that no entry exports, follow: a change of them changes the API too.
 *
 * @param program A program that has the entries as root files.
 */
export function apiReport(program: ts.Program, { name, entries }: PublicPackage): string {
  const checker = program.getTypeChecker();
  const exported = new Map<string, ts.Symbol>();
  const lines = [`API of ${name}, as its declarations have it. \`npm run docs:api\` writes this file.`];
  for (const { specifier, types } of entries) {
    const symbols = exportsOf(checker, program.getSourceFile(types), types);
    lines.push("", `== ${specifier}`, "", ...symbols.map((symbol) => symbol.name).sort());
    for (const symbol of symbols) exported.set(symbol.name, targetOf(checker, symbol));
  }
  const own = new Set(exported.values());
  lines.push("", "== declarations");
  for (const [key, symbol] of byName(exported)) lines.push("", ...declarationText(key, symbol, name));
  const used = usedSymbols(checker, own, name);
  if (used.size > 0) lines.push("", "== used by them, not exported");
  for (const [key, symbol] of byName(used)) lines.push("", ...declarationText(key, symbol, name));
  return `${lines.join("\n")}\n`;
}

const printer = ts.createPrinter({ removeComments: true });

function exportsOf(checker: ts.TypeChecker, file: ts.SourceFile | undefined, path: string): readonly ts.Symbol[] {
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error(`${path} is missing or exports nothing; run \`npm run build\``);
  return checker.getExportsOfModule(module);
}

function targetOf(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function declarationText(name: string, symbol: ts.Symbol, packageName: string): readonly string[] {
  const declarations = ownDeclarations(symbol, packageName);
  if (declarations.length === 0) return [`${name}: from another package`];
  const shown = symbol.name === name ? [] : [`${name} is:`];
  const texts = declarations.map((declaration) => {
    const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
    return printer.printNode(ts.EmitHint.Unspecified, node, declaration.getSourceFile());
  });
  return [...shown, ...texts.flatMap((text) => text.split("\n")).filter(isPublicLine)];
}

/** A declaration file has private members as one line each, without their types. */
function isPublicLine(line: string): boolean {
  return !/^\s+(?:#private|private )/.test(line);
}

function ownDeclarations(symbol: ts.Symbol, packageName: string): readonly ts.Declaration[] {
  const folder = `/packages/${packageName.replace("@vipscore/", "")}/dist/`;
  return (symbol.declarations ?? []).filter((declaration) => declaration.getSourceFile().fileName.includes(folder));
}

/** Finds the package's symbols that declarations use, directly or through each other. */
function usedSymbols(checker: ts.TypeChecker, exported: ReadonlySet<ts.Symbol>, packageName: string) {
  const used = new Map<string, ts.Symbol>();
  const waiting = [...exported];
  const visit = (node: ts.Node): void => {
    const symbol = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
    const target = symbol && targetOf(checker, symbol);
    if (target && isDeclared(target) && !exported.has(target) && ownDeclarations(target, packageName).length > 0) {
      if (used.get(target.name) !== target) waiting.push(target);
      used.set(target.name, target);
    }
    ts.forEachChild(node, visit);
  };
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const declaration of ownDeclarations(next, packageName)) visit(declaration);
  }
  return used;
}

/** True for a symbol that stands in a file by itself; members and parameters are part of it. */
function isDeclared({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some(
    (declaration) =>
      ts.isSourceFile(declaration.parent) ||
      (ts.isVariableDeclaration(declaration) && ts.isSourceFile(declaration.parent.parent.parent)),
  );
}

function byName(symbols: ReadonlyMap<string, ts.Symbol>): readonly (readonly [string, ts.Symbol])[] {
  return [...symbols].sort(([one], [other]) => (one < other ? -1 : 1));
}
