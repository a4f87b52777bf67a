// Steps of the push engine that only tests of adapters and benches take alone.
export { handOver, type TransactionPort } from "./push/handOver.ts";
export { signAndHandOver, type SenderPort } from "./push/signAndHandOver.ts";
export { waitForOutcome, type Outcome } from "./push/waitForOutcome.ts";
