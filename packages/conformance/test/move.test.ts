import { runScenarios } from "./runScenarios.ts";

runScenarios("move");
