import { ModuleBinaryError, ModuleCursor, readModuleTables } from "@vipscore/move";

export interface MoveFunction {
  /** Whether only its own module and friends can call it. */
  readonly isPrivate: boolean;
  readonly parameters: readonly string[];
  /** The operand is what it means: a function, a field, a type. */
  readonly instructions: readonly { readonly opcode: number; readonly operand: string }[];
  /** All of it, equal for equal functions: names in place of positions in the module's tables. */
  readonly text: string;
}

/** A compiled module. Names of its own begin with `Self::`, and its address is `@`. */
export interface MoveModule {
  readonly name: string;
  readonly friends: readonly string[];
  /** Abilities, fields and their types. */
  readonly structs: ReadonlyMap<string, { readonly hasKey: boolean; readonly text: string }>;
  readonly functions: ReadonlyMap<string, MoveFunction>;
}

/** The tables of a module. Source, also of the numbers below: the Move language's `move-binary-format`. */
const kinds = {
  modules: 0x01,
  structs: 0x02,
  functions: 0x03,
  functionInstances: 0x04,
  signatures: 0x05,
  constants: 0x06,
  identifiers: 0x07,
  addresses: 0x08,
  structDefinitions: 0x0a,
  functionDefinitions: 0x0c,
  fields: 0x0d,
  friends: 0x0f,
};

type Table = keyof typeof kinds;
type Operand = Table | "number" | "unnamed";

const plainTypes = "none bool u8 u64 u128 address & &mut struct T vector struct<> signer u16 u32 u256".split(" ");

/**
 * What follows an opcode. `unnamed` are entries of generic structs and enums. Vipscore's module has none, so no function with one
 * can equal one of its own.
 */
const operands: readonly (readonly [first: number, last: number, operand: Operand])[] = [
  [0x03, 0x05, "number"],
  [0x07, 0x07, "constants"],
  [0x0a, 0x0e, "number"],
  [0x0f, 0x10, "fields"],
  [0x11, 0x11, "functions"],
  [0x12, 0x13, "structDefinitions"],
  [0x29, 0x2d, "structDefinitions"],
  [0x36, 0x37, "unnamed"],
  [0x38, 0x38, "functionInstances"],
  [0x39, 0x3f, "unnamed"],
  [0x40, 0x47, "signatures"],
  [0x4e, 0x57, "unnamed"],
];
const lastOpcode = 0x57;

/** The bytes of a number that ends an instruction. */
const numberBytes: Readonly<Record<number, number>> = {
  0x06: 8,
  0x31: 1,
  0x32: 16,
  0x40: 8,
  0x46: 8,
  0x48: 2,
  0x49: 4,
  0x4a: 32,
};

/** @throws ModuleBinaryError for bytes that are not a module, or of a version with closures, which this does not follow. */
export function readMoveModule(code: Buffer): MoveModule {
  const tables = readModuleTables(code);
  // The highest of four bytes names the flavor of Move.
  const version = new ModuleCursor(code, 4).bytes(3).readUIntLE(0, 3);
  if (version !== 6 && version !== 7) unreadable(`version ${version} of the format`);

  function list<T>(table: Table, read: (cursor: ModuleCursor) => T): readonly T[] {
    const found: T[] = [];
    const { start = 0, end = 0 } = tables.find(({ kind }) => kind === kinds[table]) ?? {};
    for (const cursor = new ModuleCursor(code, start); cursor.position < end;) found.push(read(cursor));
    return found;
  }

  const identifiers = list("identifiers", (cursor) => {
    const identifier = cursor.bytes(cursor.uleb()).toString("utf8");
    return /^[\w$<>-]+$/.test(identifier) ? identifier : unreadable("a name");
  });
  const addresses = list("addresses", (cursor) => cursor.bytes(addressBytes).toString("hex"));
  const moduleOf = (cursor: ModuleCursor) => [at(addresses, cursor.uleb()), at(identifiers, cursor.uleb())] as const;
  const modules = list("modules", moduleOf);
  const [self, name] = at(modules, new ModuleCursor(code, Math.max(...tables.map(({ end }) => end))).uleb());
  const nameOf = ([address, module]: readonly [string, string]): string =>
    address !== self ? `0x${address}::${module}` : module === name ? "Self" : `@::${module}`;
  const memberOf = (cursor: ModuleCursor): string =>
    `${nameOf(at(modules, cursor.uleb()))}::${at(identifiers, cursor.uleb())}`;

  const structs = list("structs", (cursor) => {
    const [own, abilities] = [memberOf(cursor), cursor.uleb()];
    return { own, abilities, generics: several(cursor, () => `${cursor.uleb()} ${cursor.uleb()}`).join() };
  });
  const typeOf = (cursor: ModuleCursor): string => {
    const kind = cursor.byte();
    const plain = plainTypes[kind] ?? unreadable(`type ${kind}`);
    if (plain === "&") return `&${typeOf(cursor)}`;
    if (plain === "&mut") return `&mut ${typeOf(cursor)}`;
    if (plain === "struct") return at(structs, cursor.uleb()).own;
    if (plain === "T") return `T${cursor.uleb()}`;
    if (plain === "vector") return `vector<${typeOf(cursor)}>`;
    if (plain === "struct<>") return `${at(structs, cursor.uleb()).own}<${typesOf(cursor).join()}>`;
    return plain;
  };
  const typesOf = (cursor: ModuleCursor): readonly string[] => several(cursor, () => typeOf(cursor));
  const signatures = list("signatures", typesOf);
  const signatureOf = (cursor: ModuleCursor): readonly string[] => at(signatures, cursor.uleb());

  const functions = list("functions", (cursor) => {
    const [own, parameters, results] = [memberOf(cursor), signatureOf(cursor), signatureOf(cursor)];
    const generics = several(cursor, () => cursor.uleb());
    if (version > 6 && cursor.byte() !== 1) unreadable("an access specifier");
    return { own, parameters, text: `${own}<${generics.join()}>(${parameters.join()}): ${results.join()}` };
  });
  const fieldsOf = (cursor: ModuleCursor): readonly string[] =>
    several(cursor, () => `${at(identifiers, cursor.uleb())}: ${typeOf(cursor)}`);
  const structDefinitions = list("structDefinitions", (cursor) => {
    const { own, abilities, generics } = at(structs, cursor.uleb());
    const form = cursor.byte();
    const fields = form === 2 ? fieldsOf(cursor) : [];
    const variants = form === 3 ? several(cursor, () => [cursor.uleb(), ...fieldsOf(cursor)].join()) : [];
    return { own, abilities, fields, text: `${abilities} <${generics}> ${[...fields, ...variants].join()}` };
  });

  const names: Partial<Record<Table, readonly string[]>> = {
    functions: functions.map(({ own }) => own),
    functionInstances: list("functionInstances", (cursor) => {
      return `${at(functions, cursor.uleb()).own}<${signatureOf(cursor).join()}>`;
    }),
    signatures: signatures.map((types) => types.join()),
    constants: list("constants", (cursor) => {
      const constant = `${typeOf(cursor)} ${cursor.bytes(cursor.uleb()).toString("hex")}`;
      return constant === `address ${self}` ? "@" : constant;
    }),
    structDefinitions: structDefinitions.map(({ own }) => own),
    fields: list("fields", (cursor) => {
      const { own, fields } = at(structDefinitions, cursor.uleb());
      return `${own}.${at(fields, cursor.uleb()).replace(/:.*/, "")}`;
    }),
  };
  const operandOf = (kind: Operand, index: number): string => {
    if (kind === "unnamed") return `${index} of ${self}`;
    return kind === "number" ? `${index}` : at(names[kind] ?? [], index);
  };
  const instructionOf = (cursor: ModuleCursor) => {
    const opcode = cursor.byte();
    if (opcode === 0 || opcode > lastOpcode) unreadable(`instruction ${opcode}`);
    const [, , kind] = operands.find(([first, last]) => opcode >= first && opcode <= last) ?? [];
    const entry = kind === undefined ? "" : operandOf(kind, cursor.uleb());
    return { opcode, operand: `${entry}${cursor.bytes(numberBytes[opcode] ?? 0).toString("hex")}` };
  };
  const definitions = list("functionDefinitions", (cursor): readonly [string, MoveFunction] => {
    const { own, parameters, text } = at(functions, cursor.uleb());
    const [visibility, flags] = [cursor.byte(), cursor.byte()];
    // The resources that it acquires follow from its instructions.
    several(cursor, () => cursor.uleb());
    const isNative = (flags & 2) !== 0;
    const locals = isNative ? ["native"] : signatureOf(cursor);
    const instructions = isNative ? [] : several(cursor, () => instructionOf(cursor));
    const lines = instructions.map(({ opcode, operand }) => `${opcode} ${operand}`);
    // Public, or an entry function, which transactions call.
    const isPrivate = visibility !== 1 && (flags & 4) === 0;
    return [
      own,
      { isPrivate, parameters, instructions, text: [visibility, flags, text, locals.join(), ...lines].join("\n") },
    ];
  });
  return {
    name,
    friends: list("friends", (cursor) => nameOf(moduleOf(cursor))),
    structs: new Map(
      structDefinitions.map(({ own, abilities, text }) => [own, { hasKey: (abilities & 8) !== 0, text }]),
    ),
    functions: new Map(definitions),
  };
}

const addressBytes = 32;

/** Reads a list that begins with its length. */
function several<T>(cursor: ModuleCursor, read: () => T): readonly T[] {
  return Array.from({ length: cursor.uleb() }, read);
}

function at<T>(entries: readonly T[], index: number): T {
  return entries[index] ?? unreadable(`entry ${index}`);
}

function unreadable(what: string): never {
  throw new ModuleBinaryError(`${what} is not known`);
}
