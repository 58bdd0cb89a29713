import type { Plugin } from "vite";

/**
 * Leaves out the plugin of Nuxt UI that writes the colours into a style element, which the content security policy
 * refuses. `src/palette.css` holds them.
 */
export const staticColors = (): Plugin => ({
	name: "partnerwire:static-colors",
	enforce: "pre",
	load: (id) =>
		id.endsWith("/@nuxt/ui/dist/runtime/plugins/colors.js")
			? "export default { install() {} };"
			: null,
});
