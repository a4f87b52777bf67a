import { InputError, type Vm } from "@vipscore/core";
import { vms } from "@vipscore/core/values";
import { rollups } from "../rollup/rollups.ts";
import { firstSetting, type Setting } from "../settings/setting.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The variable that names an endpoint of any VM. */
export const endpointVariable = "VIPSCORE_ENDPOINT";

/** An endpoint and the VM that its variable implies; undefined if only the endpoint itself can show it. */
export interface NamedEndpoint extends Setting<string> {
  readonly vm: Vm | undefined;
}

/**
 * Returns the endpoint that the environment names, by `VIPSCORE_ENDPOINT` or by the variable of a VM; undefined if neither is
 * set.
 *
 * @param ofVms - The VMs whose variables count.
 * @throws InputError `CONFIG_INVALID` if two variables contradict each other.
 */
export function environmentEndpoint(env: Environment, ofVms: readonly Vm[] = vms): NamedEndpoint | undefined {
  const [ofVm, other] = ofVms.flatMap((vm): readonly NamedEndpoint[] => {
    const variable = rollups[vm].endpoint.env;
    const setting = firstSetting([variable, env[variable]]);
    return setting === undefined ? [] : [{ ...setting, vm }];
  });
  if (ofVm !== undefined && other !== undefined) throw contradiction(ofVm, other, "the endpoints of two VMs");
  const ofAny = firstSetting([endpointVariable, env[endpointVariable]]);
  if (ofVm === undefined) return ofAny && { ...ofAny, vm: undefined };
  if (ofAny !== undefined && !sameEndpoint(ofAny.value, ofVm.value)) {
    throw contradiction(ofAny, ofVm, "two different endpoints");
  }
  return ofVm;
}

function contradiction(one: Setting<string>, other: Setting<string>, what: string): InputError {
  return new InputError(`${one.source} and ${other.source} name ${what}`, {
    code: "CONFIG_INVALID",
    metaMessages: ["Unset one of them, or name the rollup with --endpoint."],
  });
}

/** True if two texts name the same URL. */
export function sameEndpoint(one: string, other: string): boolean {
  return one === other || (URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href);
}
