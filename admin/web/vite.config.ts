import ui from "@nuxt/ui/vite";
import vue from "@vitejs/plugin-vue";
import { defineConfig } from "vite";
import { eventExamples } from "./build/event-examples.ts";
import { moreNotices, NOTICES } from "./build/more-notices.ts";
import { staticColors } from "./build/static-colors.ts";

/** Builds the dashboard to `admin/web-dist`: hashed files, nothing inline, nothing from elsewhere (a strict CSP holds it). */
export default defineConfig({
	root: import.meta.dirname,
	plugins: [
		eventExamples(),
		staticColors(),
		moreNotices(),
		vue(),
		ui({
			// `src/use/use-theme.ts` does it: theirs writes a style element.
			colorMode: false,
			autoImport: false,
			components: { dts: false },
			icon: { clientBundle: { scan: { globInclude: ["src/**/*.{vue,ts}"] } } },
		}),
	],
	build: {
		outDir: "../web-dist",
		emptyOutDir: true,
		manifest: true,
		license: { fileName: NOTICES },
		assetsInlineLimit: 0,
		target: "es2022",
		modulePreload: { polyfill: false },
		reportCompressedSize: false,
		// Rolldown's notice that a plugin takes most of the time reads like a fault.
		rolldownOptions: { checks: { bundlerTimings: false } },
	},
	server: {
		proxy: {
			"/_admin": process.env.PARTNERWIRE_URL ?? "http://127.0.0.1:3000",
		},
	},
});
