import { InputError } from "@vipscore/core";
import { nodeFileName, type NodeFile } from "@vipscore/localnet/nodeFile";
import type { Io } from "../io.ts";
import type { Vm } from "@vipscore/core";
import { vmNamed, rollups, vms } from "../rollup/rollups.ts";
import type { ConfigFile } from "./configFile.ts";
import { firstSetting, type Setting } from "./setting.ts";

/** What the endpoints of all VMs are named by at one place. */
type Endpoints = Readonly<Partial<Record<"rpcUrl" | "restUrl" | "rpcNodeUrl", string>>>;

/**
 * Which VM is meant: as somebody said, else the one whose endpoint was named, else the local node's, else EVM.
 *
 * @throws InputError `CONFIG_INVALID` when one place names the endpoints of several.
 */
export function findVm(
  io: Io,
  flags: Endpoints & { readonly vm?: string },
  config: ConfigFile,
  node: NodeFile | undefined,
): Setting<string> {
  const said = firstSetting(["--vm", flags.vm], [config.name, config.vm]);
  if (said !== undefined) return said;
  const inEnvironment = Object.fromEntries(
    vms.map((vm) => [rollups[vm].endpoint.key, io.env[rollups[vm].endpoint.env]]),
  );
  return (
    ofEndpoints("the flags", flags) ??
    ofEndpoints("the environment", inEnvironment) ??
    ofEndpoints(config.name, config) ??
    firstSetting([nodeFileName, node?.vm]) ?? { value: "evm", source: "default" }
  );
}

function ofEndpoints(source: string, endpoints: Endpoints): Setting<string> | undefined {
  const named = vms.filter((vm) => (endpoints[rollups[vm].endpoint.key] ?? "").trim() !== "");
  if (named.length > 1) {
    throw new InputError(`${source} name endpoints of several VMs: ${named.join(", ")}`, {
      code: "CONFIG_INVALID",
      metaMessages: ["Choose one with --vm."],
    });
  }
  return named[0] === undefined ? undefined : { value: named[0], source };
}

/** @throws InputError `CONFIG_INVALID` unless the VM is one that this version serves. */
export function checkVm({ value, source }: Setting<string>): Vm {
  const vm = vmNamed(value);
  if (vm !== undefined) return vm;
  throw new InputError(`${source}: "${value}" is not a VM`, {
    code: "CONFIG_INVALID",
    metaMessages: [`Choose from ${vms.join(", ")}.`],
  });
}
