import binaryen from "binaryen";

import { validateMvp } from "./wasmOpt.ts";

/*
 * What wasmvm 2.2 asks of a contract before it stores it: `check_wasm` in cosmwasm-vm 2.2 (src/compatibility.rs), its
 * limits (src/config.rs) and its list of instructions (src/wasm_backend/gatekeeper.rs). Where this is stricter than the
 * VM, for instance with sign extension, it keeps to WebAssembly 1.0, which every VM runs.
 */

const memoryPagesLimit = 512;
const tableElementsLimit = 2_500;
/** Of one function: parameters, and locals besides them. */
const functionLimit = 100;
/** Of all functions together: parameters, and locals besides them. */
const totalLimit = 10_000;

/** The entry points that a scoring contract has, and what the VM itself calls. */
const requiredExports = [
  "interface_version_8",
  "allocate",
  "deallocate",
  "instantiate",
  "execute",
  "query",
  "migrate",
] as const;

const hostFunctions: ReadonlySet<string> = new Set([
  "abort",
  "db_read",
  "db_write",
  "db_remove",
  "db_scan",
  "db_next",
  "db_next_key",
  "db_next_value",
  "addr_validate",
  "addr_canonicalize",
  "addr_humanize",
  "bls12_381_aggregate_g1",
  "bls12_381_aggregate_g2",
  "bls12_381_pairing_equality",
  "bls12_381_hash_to_g1",
  "bls12_381_hash_to_g2",
  "secp256k1_verify",
  "secp256k1_recover_pubkey",
  "secp256r1_verify",
  "secp256r1_recover_pubkey",
  "ed25519_verify",
  "ed25519_batch_verify",
  "debug",
  "query_chain",
]);

/** What a chain with wasmvm 2.2 offers beyond the entry points. */
const capabilities: ReadonlySet<string> = new Set([
  "iterator",
  "stargate",
  "cosmwasm_1_1",
  "cosmwasm_1_2",
  "cosmwasm_1_3",
  "cosmwasm_1_4",
  "cosmwasm_2_0",
  "cosmwasm_2_1",
  "cosmwasm_2_2",
]);

/** Gives every reason for which a chain with wasmvm 2.2 would refuse to store a module, and none if it would store it. */
export async function checkModule(bytes: Uint8Array): Promise<readonly string[]> {
  try {
    await validateMvp(bytes);
  } catch (error) {
    return [`it is no valid WebAssembly 1.0: ${error instanceof Error ? error.message : String(error)}`];
  }
  const module = binaryen.readBinary(bytes);
  try {
    return [...checkImports(module), ...checkExports(module), ...checkSpace(module), ...checkFunctions(module)];
  } finally {
    module.dispose();
  }
}

function* checkImports(module: binaryen.Module): Generator<string> {
  for (const { module: from, base } of functionsOf(module)) {
    if (from !== null && from !== "" && (from !== "env" || !hostFunctions.has(base ?? "")))
      yield `it imports the function ${from}.${base}, which the host does not have`;
  }
  const others = [
    ...Array.from({ length: module.getNumGlobals() }, (_, index) =>
      binaryen.getGlobalInfo(module.getGlobalByIndex(index)),
    ),
    ...tablesOf(module),
    ...(module.hasMemory() ? [module.getMemoryInfo()] : []),
  ];
  for (const { module: from, base } of others)
    if (from !== null && from !== "") yield `it imports ${from}.${base}, which is no function`;
}

function* checkExports(module: binaryen.Module): Generator<string> {
  const names = Array.from({ length: module.getNumExports() }, (_, index) =>
    binaryen.getExportInfo(module.getExportByIndex(index)),
  ).flatMap(({ kind, name }) => (kind === binaryen.ExternalFunction ? [name] : []));
  for (const name of requiredExports) if (!names.includes(name)) yield `it does not export ${name}`;
  const versions = names.filter((name) => name.startsWith("interface_version_"));
  if (versions.length > 1) yield `it exports more than one interface version: ${versions.join(", ")}`;
  for (const name of names) {
    const [, capability] = /^requires_(.+)$/.exec(name) ?? [];
    if (capability !== undefined && !capabilities.has(capability))
      yield `it requires the capability ${capability}, which a rollup does not have`;
  }
}

function* checkSpace(module: binaryen.Module): Generator<string> {
  if (module.getStart() !== 0) yield "it has a start function";
  if (!module.hasMemory()) yield "it has no memory";
  else {
    const { initial, max } = module.getMemoryInfo();
    if (initial > memoryPagesLimit) yield `its memory starts with ${initial} pages; the most is ${memoryPagesLimit}`;
    if (max !== undefined) yield "its memory has a maximum; the host sets that";
  }
  const tables = tablesOf(module);
  if (tables.length > 1) yield `it has ${tables.length} tables; the most is 1`;
  for (const { max } of tables) {
    if (max === undefined) yield "its table has no maximum";
    else if (max > tableElementsLimit) yield `its table may grow to ${max} elements; the most is ${tableElementsLimit}`;
  }
}

/** An optimiser that inlines much makes functions with more locals than the VM takes. */
function* checkFunctions(module: binaryen.Module): Generator<string> {
  const functions = functionsOf(module);
  const counts = [
    ["parameters", functions.map(({ params }) => binaryen.expandType(params).length)],
    ["locals", functions.map(({ vars }) => vars.length)],
  ] as const;
  for (const [what, of] of counts) {
    const most = Math.max(0, ...of);
    if (most > functionLimit) yield `a function of it has ${most} ${what}; the most is ${functionLimit}`;
    const total = of.reduce((sum, count) => sum + count, 0);
    if (total > totalLimit) yield `its functions have ${total} ${what} together; the most is ${totalLimit}`;
  }
}

function functionsOf(module: binaryen.Module): readonly binaryen.FunctionInfo[] {
  return Array.from({ length: module.getNumFunctions() }, (_, index) =>
    binaryen.getFunctionInfo(module.getFunctionByIndex(index)),
  );
}

function tablesOf(module: binaryen.Module): readonly binaryen.TableInfo[] {
  return Array.from({ length: module.getNumTables() }, (_, index) =>
    binaryen.getTableInfo(module.getTableByIndex(index)),
  );
}
