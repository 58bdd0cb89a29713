/** The company modules that gate operations (docs/contract.md#what-the-service-does). */
export const MODULES = {
	api_mcp: "API & MCP",
	co_selling: "Co-selling",
} as const;
export type ModuleId = keyof typeof MODULES;
export const MODULE_IDS = Object.keys(MODULES) as [ModuleId, ...ModuleId[]];
