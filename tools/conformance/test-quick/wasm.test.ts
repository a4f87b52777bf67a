import { runScenarios } from "../src/runScenarios.ts";

runScenarios("wasm");
