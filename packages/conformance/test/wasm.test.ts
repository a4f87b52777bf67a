import { runScenarios } from "./runScenarios.ts";

runScenarios("wasm");
