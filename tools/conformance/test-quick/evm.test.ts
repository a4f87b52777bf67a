import { runScenarios } from "../src/runScenarios.ts";

runScenarios("evm");
