import { InputError } from "@vipscore/core/errors";

/** Where a setting is taken from, and what it may hold. */
export interface SettingFacts {
  /** The flag with its value; absent for what must not be an argument. */
  readonly flag?: `--${string} <${string}>`;
  readonly env?: string;
  /** The same variable in the scripts of Initia's guides. */
  readonly alias?: string;
  /** True if the settings file may have it, under its name. */
  readonly inFile?: true;
  /**
   * `url` may hold an access token, `address` as many digits as a key, `page` is published; no other text that looks like a key is
   * accepted.
   */
  readonly kind: "url" | "page" | "address" | "word" | "chainId" | "secret";
}

/** The text of a `page`, also in the schema, which knows no flags. */
export const pagePattern = /^https?:\/\/[^\s/@]+(?:\/\S*)?$/;

/** Every setting that more than one command takes, in the order of the settings file. */
export const settings = {
  vm: { flag: "--vm <vm>", inFile: true, kind: "word" },
  endpoint: { flag: "--endpoint <url>", env: "VIPSCORE_ENDPOINT", inFile: true, kind: "url" },
  /** Another node of the rollup, in the same protocol. */
  secondEndpoint: { flag: "--second-endpoint <url>", env: "VIPSCORE_SECOND_ENDPOINT", inFile: true, kind: "url" },
  contract: {
    flag: "--contract <address>",
    env: "CONTRACT_ADDRESS",
    alias: "SCORE_CONTRACT",
    inFile: true,
    kind: "address",
  },
  /** What `contract` of the same file was made of, with the names of its errors. */
  artifact: { inFile: true, kind: "word" },
  /** As the chain spells it: decimal on EVM. */
  chainId: { flag: "--chain-id <id>", env: "CHAIN_ID", inFile: true, kind: "chainId" },
  gasPrices: { env: "GAS_PRICES", inFile: true, kind: "word" },
  rollupRestUrl: { flag: "--rollup-rest-url <url>", env: "ROLLUP_REST_URL", inFile: true, kind: "url" },
  l1RestUrl: { flag: "--l1-rest-url <url>", env: "L1_REST_URL", inFile: true, kind: "url" },
  vipAddress: { flag: "--vip-address <address>", env: "VIP_ADDRESS", inFile: true, kind: "address" },
  indexerUrl: { flag: "--indexer-url <url>", env: "INDEXER_URL", inFile: true, kind: "url" },
  /** Signs instead of a key in this process. */
  remoteSigner: { flag: "--remote-signer <url>", env: "VIPSCORE_REMOTE_SIGNER", inFile: true, kind: "url" },
  /** For `report`: the rollup's name, and pages to link to. */
  rollupName: { inFile: true, kind: "word" },
  explorerUrl: { inFile: true, kind: "page" },
  policyUrl: { inFile: true, kind: "page" },
  operatorUrl: { inFile: true, kind: "page" },
  /** The transaction on L1 that submitted the snapshot. */
  snapshotUrl: { inFile: true, kind: "page" },
  /** CometBFT RPC of any rollup; also the endpoint of a Move or Wasm rollup. */
  rpcUrl: { env: "RPC_NODE_URL", kind: "url" },
  evmEndpoint: { env: "JSON_RPC_URL", kind: "url" },
  moveEndpoint: { env: "REST_URL", kind: "url" },
  database: { flag: "--database <file>", env: "DATABASE_URL", kind: "url" },
  initStage: { flag: "--init-stage <n>", env: "INIT_STAGE", kind: "word" },
  targetStage: { env: "TARGET_STAGE", kind: "word" },
  coinType: { env: "COIN_TYPE", kind: "word" },
  privateKey: { env: "PRIVATE_KEY", kind: "secret" },
  mnemonic: { env: "MNEMONIC", alias: "MNEMONIC_KEY", kind: "secret" },
  keystorePassword: { env: "KEYSTORE_PASSWORD", kind: "secret" },
} as const satisfies Readonly<Record<string, SettingFacts>>;

type SettingName = keyof typeof settings;

export type FileSetting = {
  [Name in SettingName]: (typeof settings)[Name] extends { readonly inFile: true } ? Name : never;
}[SettingName];

export const settingVariables: readonly { readonly name: string; readonly kind: SettingFacts["kind"] }[] =
  Object.values<SettingFacts>(settings).flatMap(({ env, alias, kind }) =>
    [env, alias].flatMap((name) => (name === undefined ? [] : [{ name, kind }])),
  );

/** Returns the environment with the variables of Initia's guides under their names here; two names must not have two values. */
export function withAliases<Env extends Readonly<Record<string, string | undefined>>>(env: Env): Env {
  const named: Record<string, string> = {};
  for (const { env: name = "", alias = "" } of Object.values<SettingFacts>(settings)) {
    const [value, other] = [env[name]?.trim() ?? "", env[alias]?.trim() ?? ""];
    if (other === "" || value === other) continue;
    if (value !== "") {
      throw new InputError(`${name} and ${alias} are two names of one setting, with different values`, {
        code: "CONFIG_INVALID",
        metaMessages: ["Unset one of them."],
      });
    }
    named[name] = other;
  }
  return { ...env, ...named };
}

/** A setting's value and its source, for messages: `--endpoint`, `CHAIN_ID`, a file's name. */
export interface Setting<T> {
  readonly value: T;
  readonly source: string;
}

type Place = readonly [source: string, value: string | undefined];
type Values = Readonly<Partial<Record<SettingName, string | undefined>>>;

/** Finds a setting: flag, then environment, then settings file, then other places. */
export function findSetting(
  name: SettingName,
  {
    flags = {},
    env,
    config = { name: "" },
  }: {
    readonly flags?: Values;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly config?: Values & { readonly name: string };
  },
  ...others: readonly Place[]
): Setting<string> | undefined {
  const { flag, env: variable = "" }: SettingFacts = settings[name];
  return firstSetting(
    [flag?.replace(/ .*/, "") ?? "", flags[name]],
    [variable, env[variable]],
    [config.name, config[name]],
    ...others,
  );
}

/** Returns the first value that is set; empty text counts as unset, because CI systems pass unset variables that way. */
export function firstSetting(...places: readonly Place[]): Setting<string> | undefined {
  for (const [source, value] of places) {
    if (value !== undefined && value.trim() !== "") return { value: value.trim(), source };
  }
  return undefined;
}
