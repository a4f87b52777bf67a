import { InputError, NodeError, VipError, type Vm } from "@vipscore/core";
import { vms } from "@vipscore/core/values";
import {
  callJsonRpc,
  exchange,
  HttpStatusError,
  isMissingQuery,
  isMissingRoute,
  isObject,
  openJsonRpc,
  openRest,
  parseEndpoint,
  queryChain,
  retryRead,
  statusError,
  undefinedIf,
  UnexpectedAnswerError,
  UnknownServiceError,
  type HttpEndpoint,
} from "@vipscore/core/wire";
import type { Context } from "../context.ts";
import type { Setting } from "../settings/settings.ts";
import type { Protocol, Rollup } from "./rollup.ts";
import { rollups, type VmFacts } from "./rollups.ts";

interface EndpointInfo {
  /** Destination of requests, without credentials; for messages. */
  readonly shown: string;
  /** The protocols that it answers; at least one. */
  readonly protocols: readonly Protocol[];
  /** The rollup's VM; undefined for a chain that runs none of the known VMs. */
  readonly vm: Vm | undefined;
}

interface IdentifyOptions {
  readonly signal: AbortSignal;
  /** The rollup's VM, if it is known. Default: asks the endpoint. */
  readonly vm?: Vm | undefined;
  /** Maximum time to retry failures that may pass, in milliseconds. Default: 30,000. */
  readonly patienceMs?: number;
  /** Called after the first attempt that got no answer, with the destination of requests. */
  readonly onSilence?: (shown: string) => void;
}

/** Maximum size of an answer, in bytes; `node_info` lists the node's libraries. */
const maxBytes = 4_194_304;

const nodeInfoPath = "/cosmos/base/tendermint/v1beta1/node_info";

export async function identifyEndpoint(url: string, options: IdentifyOptions): Promise<EndpointInfo> {
  const { signal, patienceMs } = options;
  const endpoint = parseEndpoint(url, "endpoint");
  const { shown } = endpoint;
  let isReported = false;
  const onSilence = (): void => {
    if (!isReported) options.onSilence?.(shown);
    isReported = true;
  };
  const ask = (timeoutMs: number): Promise<readonly Protocol[]> =>
    askProtocols(endpoint, { timeoutMs, maxBytes, signal }, onSilence);
  const protocols = await retryRead(ask, { endpoint: shown, signal, patienceMs });
  if (options.vm !== undefined) return { shown, protocols, vm: options.vm };
  if (protocols.includes("JSON-RPC")) return { shown, protocols, vm: "evm" };
  const vm = protocols.includes("RPC") ? await vmOverRpc(url, options) : await vmOverRest(url, options);
  return { shown, protocols, vm };
}

async function askProtocols(
  endpoint: HttpEndpoint,
  bounds: Bounds,
  onSilence: () => void,
): Promise<readonly Protocol[]> {
  const { timeoutMs, signal } = bounds;
  const started = performance.now();
  const questions: readonly Promise<Protocol>[] = [
    callJsonRpc(endpoint, { method: "eth_chainId", params: [], ...bounds }, (answer) => {
      answer.quantity();
      return "JSON-RPC";
    }),
    callJsonRpc(endpoint, { method: "status", params: {}, ...bounds }, (answer) => {
      answer.field("node_info").field("network").text();
      return "RPC";
    }),
    askRest(endpoint, bounds),
  ];
  const answers = await Promise.allSettled(questions);
  signal.throwIfAborted();
  const protocols = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
  if (protocols.length > 0) return protocols;
  const failures = answers.flatMap((answer): readonly unknown[] =>
    answer.status === "rejected" ? [answer.reason] : [],
  );
  const isSilent = performance.now() - started >= timeoutMs;
  if (isSilent) onSilence();
  throw failureOf(endpoint, failures, isSilent ? timeoutMs : undefined);
}

interface Bounds {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

async function askRest(endpoint: HttpEndpoint, bounds: Bounds): Promise<Protocol> {
  const answer = await exchange(endpoint, {
    url: endpoint.at(nodeInfoPath),
    title: nodeInfoPath,
    method: "GET",
    ...bounds,
  });
  const { status, json } = answer;
  if (status === 200) {
    if (isObject(json) && isObject(json["default_node_info"])) return "REST";
    throw new UnexpectedAnswerError(endpoint, { title: nodeInfoPath, expected: "with the node's information" }, answer);
  }
  throw statusError(endpoint, answer);
}

/** `silentMs`: how long the endpoint was silent after one of the requests; undefined if it answered all. */
function failureOf(endpoint: HttpEndpoint, failures: readonly unknown[], silentMs: number | undefined): unknown {
  const { shown } = endpoint;
  if (silentMs !== undefined) {
    return new NodeError(`${shown} does not answer: silent for ${Math.round(silentMs / 1000)} s`, {
      code: "NODE_UNREACHABLE",
      isTransient: true,
      metaMessages: ["Check the URL. If the endpoint answers only its own protocol, name its VM with --vm."],
    });
  }
  const faults = failures.filter((failure) => failure instanceof NodeError);
  const decisive =
    failures.find((failure) => !(failure instanceof NodeError)) ??
    faults.find((fault) => fault.code === "NODE_UNREACHABLE" || (fault.isTransient && !isForeign(fault))) ??
    faults.find(({ code }) => code === "NODE_REDIRECTED") ??
    faults.find((fault) => fault instanceof HttpStatusError && fault.code === "NODE_ERROR");
  if (decisive !== undefined) return decisive;
  return new UnknownServiceError(
    `${shown} is not the endpoint of a rollup: it does not answer as JSON-RPC (EVM), RPC (Move, Wasm) or REST (Move)`,
    {
      code: "NODE_BAD_RESPONSE",
      isTransient: faults.some(isForeign),
      metaMessages: faults.map(({ shortMessage }) => shortMessage),
    },
  );
}

const isForeign = (fault: NodeError): boolean => fault instanceof UnexpectedAnswerError;

async function vmOverRpc(url: string, { signal, patienceMs }: IdentifyOptions): Promise<Vm | undefined> {
  const comet = openJsonRpc(url, { patienceMs });
  return firstVm(({ query }) => {
    const params = { path: query, request: new Uint8Array(), decode: () => true };
    return undefinedIf(isMissingQuery, queryChain(comet, params, { signal }));
  });
}

async function vmOverRest(url: string, { signal, patienceMs }: IdentifyOptions): Promise<Vm | undefined> {
  const rest = openRest(url, patienceMs === undefined ? {} : { patienceMs });
  return firstVm(({ route }) =>
    undefinedIf(
      isMissingRoute,
      rest.get(route, () => true, { signal }),
    ),
  );
}

async function firstVm(isThere: (module: VmFacts["module"]) => Promise<boolean | undefined>): Promise<Vm | undefined> {
  const found = await Promise.all(vms.map((vm) => isThere(rollups[vm].module)));
  return vms.find((_, index) => found[index] === true);
}

export interface EndpointKind {
  readonly vm: Vm;
  readonly protocol: Protocol;
}

/** Asks an endpoint for its protocol, and for its rollup's VM if that is not known; reports a wait for a slow one. */
export async function askEndpoint(
  { io, output }: Context,
  endpoint: Setting<string>,
  vm: Vm | undefined,
  protocolsOf?: (vm: Vm) => readonly Protocol[],
): Promise<EndpointKind> {
  const onSilence = (shown: string): void =>
    output.note(`waiting   for ${shown} to show which VM its rollup runs (up to 30 s; --vm names it)`);
  return requireProtocol(
    endpoint,
    await identifyEndpoint(endpoint.value, { signal: io.signal, onSilence, vm }),
    // A known VM may be a mistake in the settings; see withEndpointDiagnosis.
    { isKnown: vm !== undefined, protocolsOf },
  );
}

/** The port on which a node usually serves a protocol. */
const defaultPorts: Readonly<Record<Protocol, number>> = { "JSON-RPC": 8545, REST: 1317, RPC: 26657 };

/** Returns the VM and protocol of an endpoint that a command can use. @throws `CONFIG_INVALID`, naming the required protocol. */
function requireProtocol(
  { source }: Setting<string>,
  { shown, protocols, vm }: EndpointInfo,
  {
    isKnown,
    protocolsOf = (each) => rollups[each].protocols,
  }: { readonly isKnown: boolean; readonly protocolsOf: ((vm: Vm) => readonly Protocol[]) | undefined },
): EndpointKind {
  const kind = protocols.join(" and ");
  if (vm === undefined) {
    throw new InputError(`${source}: the chain at ${shown} (${kind}) does not run EVM, Move or Wasm`, {
      code: "CONFIG_INVALID",
      metaMessages: ["Name an endpoint of the rollup, or its VM with --vm."],
    });
  }
  const usable = protocolsOf(vm);
  const [needed = "RPC"] = usable;
  const protocol = usable.find((each) => protocols.includes(each)) ?? (isKnown ? needed : undefined);
  if (protocol !== undefined) return { vm, protocol };
  throw new InputError(`${source}: ${describeKind({ shown, protocols, vm })}; its ${needed} endpoint is needed`, {
    code: "CONFIG_INVALID",
    metaMessages: [`Name that one; a node usually serves it on port ${defaultPorts[needed]}.`],
  });
}

/** `https://rest.example.org is the REST endpoint of a Wasm rollup`. */
function describeKind({ shown, protocols, vm }: EndpointInfo): string {
  const rollup = vm === undefined ? "a chain" : rollups[vm].aRollup;
  return `${shown} is the ${protocols.join(" and ")} endpoint of ${rollup}`;
}

interface EndpointSettings {
  readonly endpoint: Setting<string>;
  readonly vm: Vm;
  readonly protocol: Protocol;
  /** Undefined if the endpoint was asked for its VM. */
  readonly vmSource: string | undefined;
}

/** Time limit for identifying an endpoint that has already failed, in milliseconds. */
export const patienceMs = 3_000;

/**
 * Wraps a rollup so that its failures name the endpoint's real VM and protocol if these are not the ones that the settings
 * expect.
 */
export function withEndpointDiagnosis(rollup: Rollup, settings: EndpointSettings, signal: AbortSignal): Rollup {
  const explain = async (error: unknown): Promise<never> => {
    throw (await diagnose(error, settings, signal)) ?? error;
  };
  return {
    signerAddress: rollup.signerAddress,
    readChainId: () => rollup.readChainId().catch(explain),
    connect: (address, errors) => rollup.connect(address, errors).catch(explain),
    ...(rollup.readErrors && { readErrors: rollup.readErrors }),
    readArtifact: (artifact) => rollup.readArtifact(artifact),
    deploy: (request) => rollup.deploy(request),
    ...(rollup.publish && { publish: rollup.publish }),
  };
}

/** Returns the mistake in the settings behind an unusable answer; undefined if there is none. */
async function diagnose(
  failure: unknown,
  { endpoint, vm, protocol, vmSource }: EndpointSettings,
  signal: AbortSignal,
): Promise<InputError | undefined> {
  if (vmSource === undefined || signal.aborted || !VipError.isVipError(failure)) return undefined;
  if (failure.code !== "NODE_BAD_RESPONSE" && failure.code !== "NODE_ERROR") return undefined;
  const kind = await identifyEndpoint(endpoint.value, { signal, patienceMs }).catch(() => undefined);
  const { name } = rollups[vm];
  if (kind?.vm === undefined || (kind.vm === vm && kind.protocols.includes(protocol))) return undefined;
  return new InputError(`${describeKind(kind)}, not the ${protocol} endpoint of ${name}`, {
    code: "CONFIG_INVALID",
    metaMessages: [`The URL comes from ${endpoint.source}, its VM from ${vmSource}.`],
    cause: failure,
  });
}
