import { runScenarios } from "./runScenarios.ts";

runScenarios("evm");
