import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// The built page runs in any folder of a server.
export default defineConfig({ base: "./", plugins: [react()] });
