import { InputError, VipError, type ScoreContract, type Vm } from "@vipscore/core";
import { shortAddress } from "@vipscore/core/values";
import { parseEndpoint } from "@vipscore/core/wire";
import type { Context } from "../context.ts";
import type { Io } from "../io.ts";
import { confirmAddress, findSigner, noSigner } from "../key/findSigner.ts";
import { parseAccountArgument } from "../options.ts";
import { keyLikeParts } from "../output/scrubber.ts";
import { withEndpointDiagnosis } from "../rollup/endpoint.ts";
import { isDevice, type Rollup, type SenderOnly, type Signer } from "../rollup/rollup.ts";
import { rollups } from "../rollup/rollups.ts";
import { deploymentsFileName, readDeployment, type Deployment } from "../settings/projectFiles.ts";
import { kindOf, readSettings, sameEndpoint, type ConnectionFlags, type Settings } from "../settings/readSettings.ts";
import type { Setting } from "../settings/settings.ts";
import { pathOf } from "./readTable.ts";

/** A command's need for a signing key: `required`, `optional` (used if present), or `none`. */
type KeyNeed = "required" | "optional" | "none";

/** Opens the rollup of the settings with its signer. Prints the signer and the endpoint to stderr, unless a flag set them. */
export async function openRollup(
  context: Context,
  settings: Settings,
  flags: ConnectionFlags,
  need: KeyNeed,
): Promise<Rollup> {
  const { io, output, scrubber } = context;
  const signer = need === "none" ? undefined : await signerOf(context, settings, flags, need);
  // The settings file may hold a key in the wrong place too.
  for (const setting of [settings.contract, settings.chainId]) scrubber.addGiven(setting?.value ?? "");
  let rollup: Rollup;
  try {
    rollup = await rollups[settings.vm].open({
      endpoint: settings.endpoint.value,
      protocol: settings.protocol,
      expectedChainId: settings.chainId,
      gasPrices: settings.gasPrices,
      signer: signer?.value,
      signal: io.signal,
    });
  } catch (error) {
    throw withOrigin(error, settings, undefined);
  }
  rollup = withEndpointDiagnosis(rollup, settings, io.signal);
  if (signer !== undefined) {
    output.note(output.paintNote("dim", `signer    ${rollup.signerAddress}  (${signer.source})`));
  }
  const { value: url, source } = settings.endpoint;
  if (source !== "--endpoint") {
    output.note(output.paintNote("dim", `endpoint  ${parseEndpoint(url, "endpoint").shown}  (${source})`));
  }
  if (signer !== undefined && isDevice(signer.value)) {
    await confirmAddress(context, signer.value, rollup.signerAddress ?? "");
  }
  return rollup;
}

async function signerOf(
  context: Context,
  { vm, localNode }: Settings,
  flags: ConnectionFlags,
  need: KeyNeed,
): Promise<Setting<Signer> | undefined> {
  if (flags.unsigned !== undefined) return { value: senderOnly(vm, flags), source: "--from" };
  const signer = await findSigner(context, { vm, onLocalNode: localNode !== undefined }, flags);
  if (signer === undefined && need === "required") throw noSigner();
  return signer;
}

function senderOnly(vm: Vm, { from, keystore, ledger, remoteSigner }: ConnectionFlags): SenderOnly {
  if (keystore !== undefined || ledger !== undefined || remoteSigner !== undefined) {
    throw new InputError("--unsigned leaves the signature to others: drop --ledger, --keystore and --remote-signer");
  }
  if (from !== undefined) return { sender: parseAccountArgument(from, vm) };
  throw new InputError("--unsigned needs the account that will sign, such as a multisig: add --from <address>");
}

/**
 * Connects to the contract of the settings, or to the one last deployed from this folder to their chain. Prints to stderr
 * which key, endpoint and contract are used, unless a flag set them.
 */
export async function connect(
  context: Context,
  settings: Settings,
  flags: ConnectionFlags,
  need: KeyNeed,
): Promise<ScoreContract> {
  return connectThrough(context, settings, await openRollup(context, settings, flags, need));
}

/** Connects to the contract through a rollup that is open already. `firstStage`: where to start one that has to be deployed. */
export async function connectThrough(
  context: Context,
  settings: Settings,
  rollup: Rollup,
  firstStage?: bigint,
): Promise<ScoreContract> {
  let address: FoundContract | undefined;
  try {
    address = await findContract(context, settings, rollup, firstStage);
    return await rollup.connect(address.value, address.errors);
  } catch (error) {
    throw withOrigin(error, settings, address);
  }
}

export async function openContract(context: Context, flags: ConnectionFlags, need: KeyNeed): Promise<ScoreContract> {
  return connect(context, await readSettings(context, flags), flags, need);
}

/** Connects to a contract through the second endpoint of the settings too; returns undefined if none is set. */
export async function connectSecond(
  context: Context,
  { vm, endpoint, secondEndpoint, gasPrices }: Settings,
  { identity }: ScoreContract,
): Promise<ScoreContract | undefined> {
  if (secondEndpoint === undefined) return undefined;
  const { io, output } = context;
  const { value, source } = secondEndpoint;
  if (sameEndpoint(value, endpoint.value)) {
    throw new InputError(`${source} is the URL of ${endpoint.source}: name a node of another operator`, {
      code: "CONFIG_INVALID",
    });
  }
  const { protocol } = await kindOf(context, secondEndpoint, vm, undefined);
  const rollup = await rollups[vm].open({
    endpoint: value,
    protocol,
    expectedChainId: { value: identity.chainId, source: endpoint.source },
    gasPrices,
    signer: undefined,
    signal: io.signal,
  });
  output.note(output.paintNote("dim", `second    ${parseEndpoint(value, "endpoint").shown}  (${source})`));
  return rollup.connect(identity.address);
}

/**
 * Returns the contract of the settings, or the one last deployed from this folder to their chain. Prints it to stderr, unless
 * a flag set it.
 */
export async function findContract(
  context: Context,
  settings: Settings,
  rollup: Rollup,
  firstStage?: bigint,
): Promise<FoundContract> {
  const { io, output } = context;
  const { vm, contract, artifact } = settings;
  const address = await knownContract(io, vm, contract, () => rollup.readChainId());
  if (address === undefined) throw noContract(await rollup.readChainId(), firstStage);
  if (address.source !== "--contract") {
    output.note(output.paintNote("dim", `contract  ${shown(address.value)}  (${address.source})`));
  }
  // Another contract than that of the file has other errors.
  if (artifact === undefined || artifact.source !== contract?.source) return address;
  return { ...address, errors: await rollup.readErrors?.(pathOf(io, artifact.value), address.value) };
}

type FoundContract = Setting<string> & Pick<Deployment, "errors">;

/** Returns the full address, or only its ends if it may be a key in the wrong place. */
export function shown(address: string): string {
  return keyLikeParts(address).length === 0 ? address : shortAddress(address);
}

/** Returns the contract of a setting, or the one last deployed from this folder to a chain; undefined without any. */
export async function knownContract(
  io: Io,
  vm: Vm,
  named: Setting<string> | undefined,
  readChainId: () => Promise<string>,
): Promise<FoundContract | undefined> {
  if (named !== undefined) return named;
  const found = await readDeployment(io, vm, await readChainId());
  return found && { value: found.address, source: deploymentsFileName, errors: found.errors };
}

function noContract(chainId: string, firstStage: bigint | undefined): InputError {
  return new InputError(`no contract is known for chain ${chainId}`, {
    code: "CONFIG_INVALID",
    metaMessages: [
      `Deploy one: vipscore deploy --init-stage ${firstStage ?? "<stage>"}`,
      "Or set one with --contract, CONTRACT_ADDRESS or contract in vipscore.config.json.",
    ],
  });
}

/** Adds the source of a wrong address or chain ID to the error, so that the user knows where to fix it. */
function withOrigin(error: unknown, settings: Settings, address: Setting<string> | undefined): unknown {
  if (!VipError.isVipError(error)) return error;
  const { chainId } = settings;
  const hints: string[] = [];
  if (error.code === "CONTRACT_NOT_FOUND" && address !== undefined) {
    hints.push(`The address ${shortAddress(address.value)} comes from ${address.source}.`);
    if (address.source === deploymentsFileName) {
      hints.push("A restarted local node has lost it: run `vipscore deploy` again.");
    }
  }
  if (error.code === "CHAIN_MISMATCH" && chainId !== undefined) {
    hints.push(`Chain ${chainId.value} comes from ${chainId.source}, the endpoint from ${settings.endpoint.source}.`);
  }
  if (hints.length === 0) return error;
  const { code, shortMessage, advice } = error;
  return new VipError(shortMessage, { code, metaMessages: [...advice, ...hints], cause: error });
}
