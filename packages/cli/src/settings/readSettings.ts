import { InputError, type Vm } from "@vipscore/core";
import { nodeFileName, readNodeFile, type NodeFile } from "@vipscore/core/nodeFile";
import { vms } from "@vipscore/core/values";
import type { Context } from "../context.ts";
import type { UnsignedFlags } from "../contract/sendCall.ts";
import { askVm } from "../endpoint/askVm.ts";
import { sameEndpoint } from "../endpoint/environmentEndpoint.ts";
import { findEndpoint, type EndpointFlags } from "../endpoint/findEndpoint.ts";
import type { SignerFlags } from "../key/findSigner.ts";
import { endpointOfNode, rollups } from "../rollup/rollups.ts";
import { readConfigFile } from "./configFile.ts";
import { readL1Settings, type L1Flags, type L1Settings } from "./l1Settings.ts";
import { firstSetting, type Setting } from "./setting.ts";

/** The flags that name a chain and a contract; each overrides every other source. */
export interface ConnectionFlags extends L1Flags, EndpointFlags, SignerFlags, UnsignedFlags {
  readonly secondEndpoint?: string;
  readonly contract?: string;
  readonly chainId?: string;
  readonly rollupRestUrl?: string;
  /** False takes no settings file of the current folder. */
  readonly config?: string | false;
}

/** The settings of a connection. */
export interface Settings {
  readonly vm: Vm;
  /** The source of the VM; undefined if the endpoint was asked for it. */
  readonly vmSource: string | undefined;
  /** The rollup's endpoint, in its VM's protocol. */
  readonly endpoint: Setting<string>;
  /** Another endpoint of the rollup in the same protocol, for comparison; undefined if not set. */
  readonly secondEndpoint: Setting<string> | undefined;
  /** ID of the chain that the endpoint must serve, as the chain spells it; undefined if not set. */
  readonly chainId: Setting<string> | undefined;
  /** The contract's address if it is set; a recorded deployment is looked up once the chain is known. */
  readonly contract: Setting<string> | undefined;
  /** Gas price, e.g. `0.015umin`; undefined if not set. */
  readonly gasPrices: string | undefined;
  /** The running local node, if the endpoint belongs to it. */
  readonly localNode: NodeFile | undefined;
  /**
   * The rollup's REST endpoint, which names its bridge: the one that is set, the endpoint where that is REST, or the local node's.
   * Undefined if it is not known.
   */
  readonly rollupRestUrl: string | undefined;
  /** L1's settings; undefined if not set. */
  readonly l1: L1Settings | undefined;
}

/**
 * Resolves every setting: flag, then environment, then settings file, then the local node's file. Asks the endpoint for its VM
 * if no setting names it.
 *
 * @throws InputError `CONFIG_INVALID`, `FILE_UNREADABLE`; NodeError; the signal's reason when aborted.
 */
export async function readSettings(context: Context, flags: ConnectionFlags): Promise<Settings> {
  const { io, scrubber } = context;
  const config = await readConfigFile(io, flags.config);
  const node = await readNodeFile(io.cwd);
  const { endpoint, vm: named } = findEndpoint(io, flags, config, node);
  if (endpoint === undefined) throw noEndpoint();
  scrubber.addUrl(endpoint.value);
  const secondEndpoint = firstSetting(
    ["--second-endpoint", flags.secondEndpoint],
    ["VIPSCORE_SECOND_ENDPOINT", io.env["VIPSCORE_SECOND_ENDPOINT"]],
    [config.name, config.secondEndpoint],
  );
  scrubber.addUrl(secondEndpoint?.value ?? "");
  const vm = named?.value ?? (await askVm(context, endpoint));
  const localUrl = node === undefined ? undefined : endpointOfNode(node, vm);
  const localNode = localUrl !== undefined && sameEndpoint(endpoint.value, localUrl) ? node : undefined;
  return {
    vm,
    vmSource: named?.source,
    endpoint,
    secondEndpoint,
    chainId: firstSetting(
      ["--chain-id", flags.chainId],
      ["CHAIN_ID", io.env["CHAIN_ID"]],
      [config.name, config.chainId],
      [nodeFileName, localNode?.chainId],
    ),
    contract: firstSetting(
      ["--contract", flags.contract],
      ["CONTRACT_ADDRESS", io.env["CONTRACT_ADDRESS"]],
      [config.name, config.contract],
    ),
    gasPrices: firstSetting(["GAS_PRICES", io.env["GAS_PRICES"]], [config.name, config.gasPrices])?.value,
    localNode,
    rollupRestUrl:
      firstSetting(
        ["--rollup-rest-url", flags.rollupRestUrl],
        ["ROLLUP_REST_URL", io.env["ROLLUP_REST_URL"]],
        [config.name, config.rollupRestUrl],
      )?.value ?? (rollups[vm].endpoint.protocol === "REST" ? endpoint.value : localNode?.restUrl),
    l1: readL1Settings(io, flags, config, localNode),
  };
}

function noEndpoint(): InputError {
  const kinds = vms.map((vm) => `${rollups[vm].endpoint.protocol} on ${rollups[vm].name}`).join(", ");
  return new InputError("no endpoint to connect to", {
    code: "CONFIG_INVALID",
    metaMessages: [
      "Start a local node: vipscore node",
      `Or set the rollup's endpoint (${kinds}) with --endpoint, VIPSCORE_ENDPOINT or endpoint in vipscore.config.json.`,
    ],
  });
}
