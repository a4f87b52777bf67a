import { defineConfig } from "vitepress";
import { siteConfig } from "../src/siteConfig.ts";

export default defineConfig(siteConfig(process.env));
