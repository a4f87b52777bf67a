import { join } from "node:path";
import ts from "typescript";
import { root } from "./repositoryLinks.ts";

/** Returns the JSON Schema of the objects that commands print with `--json`: of the types that the code of the command gives to `Output.json`. */
export function outputSchema(): object {
  const folder = join(root, "packages/cli");
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  const config = ts.getParsedCommandLineOfConfigFile(join(folder, "tsconfig.lib.json"), { noEmit: true }, host);
  const program = ts.createProgram(config?.fileNames ?? [], config?.options ?? {});
  const checker = program.getTypeChecker();
  const shared: Record<string, object> = {};
  const shapeOf = shapes(checker, shared);
  const printed: object[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(?:context\.)?output\.json$/.test(node.expression.getText())) {
      const [value] = node.arguments;
      if (value !== undefined) printed.push(shapeOf(checker.getTypeAtLocation(value)));
    }
    ts.forEachChild(node, visit);
  };
  // In one order, so that a change elsewhere does not move parts of the schema.
  const files = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(join(folder, "src/")));
  for (const file of files.toSorted((one, other) => (one.fileName < other.fileName ? -1 : 1))) visit(file);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "What a command of vipscore prints with --json",
    ...anyOf(printed),
    $defs: shared,
  };
}

const { StringLike, NumberLike, BigIntLike } = ts.TypeFlags;
/** Types that a brand makes another type of. */
const primitives = StringLike | NumberLike | BigIntLike;

/**
 * Translates types into JSON Schemas, by the rules of `toJson`: bigints as decimal text, null for undefined. Objects that have the same
 * name and fields are in `shared`.
 */
function shapes(checker: ts.TypeChecker, shared: Record<string, object>): (type: ts.Type) => object {
  const shapeOf = (type: ts.Type): object => {
    if (type.isUnion()) return anyOf(type.types.map(shapeOf));
    if (type.isStringLiteral()) return { const: type.value };
    const has = (flags: ts.TypeFlags): boolean => (type.flags & flags) !== 0;
    if (has(StringLike)) return { type: "string" };
    if (has(BigIntLike)) return { type: "string", pattern: String.raw`^-?\d+$` };
    if (has(NumberLike)) return { type: "number" };
    if (has(ts.TypeFlags.BooleanLike)) return { type: "boolean" };
    if (has(ts.TypeFlags.Undefined | ts.TypeFlags.Null)) return { type: "null" };
    if (type.isIntersection() && type.types.some(({ flags }) => flags & primitives)) {
      return anyOf(type.types.filter(({ flags }) => flags & primitives).map(shapeOf));
    }
    if (!has(ts.TypeFlags.Object | ts.TypeFlags.Intersection)) return {};
    const items = checker.isArrayLikeType(type) ? checker.getIndexTypeOfType(type, ts.IndexKind.Number) : undefined;
    if (items !== undefined) return { type: "array", items: shapeOf(items) };
    if (type.getProperty("toJSON") !== undefined) return { type: "string" };
    return objectOf(type);
  };
  const objectOf = (type: ts.Type): object => {
    const found = checker.getPropertiesOfType(type).flatMap((symbol) => {
      const value = checker.getTypeOfSymbol(symbol);
      if (value.getCallSignatures().length > 0) return [];
      const { valueDeclaration: declared } = symbol;
      const literal = declared && ts.isPropertyAssignment(declared) ? declared.initializer : undefined;
      const shape = literal && ts.isStringLiteral(literal) ? { const: literal.text } : shapeOf(value);
      const { name } = symbol;
      const text = JSON.stringify(shape);
      const isShared = text.includes("properties") && JSON.stringify((shared[name] ??= shape)) === text;
      return [
        {
          name,
          shape: isShared ? { $ref: `#/$defs/${name}` } : shape,
          isOptional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
        },
      ];
    });
    const others = checker.getIndexTypeOfType(type, ts.IndexKind.String);
    return {
      type: "object",
      properties: Object.fromEntries(found.map(({ name, shape }) => [name, shape])),
      required: found.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
      ...(others === undefined ? {} : { additionalProperties: shapeOf(others) }),
    };
  };
  return shapeOf;
}

/** A schema that takes what one of these takes, in few lines. */
function anyOf(schemas: readonly object[]): object {
  const byText = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]));
  const different = [...byText].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, schema]) => schema);
  const valuesOf = (key: string): readonly unknown[] =>
    different.flatMap((schema) => (Object.keys(schema).join() === key ? Object.values(schema) : []));
  const [types, values] = [valuesOf("type"), valuesOf("const")];
  const merged = [
    ...(types.length > 1 ? [{ type: types }] : []),
    ...(values.length > 1 ? [{ enum: values }] : []),
    ...different.filter((schema) => {
      const [key = "", ...others] = Object.keys(schema);
      return others.length > 0 || (key === "type" ? types : key === "const" ? values : []).length < 2;
    }),
  ];
  return merged.length === 1 ? (merged[0] ?? {}) : { anyOf: merged };
}
