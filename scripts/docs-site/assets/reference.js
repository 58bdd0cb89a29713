/* Starts Swagger UI on the service's own document. It sends no request to another host. */
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const follow = () =>
	document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

/** The document without the token of webhooks. It is no API key, but "Authorize" would ask for it. */
function withoutWebhookToken(text) {
	const document = JSON.parse(text);
	delete document.components.securitySchemes.webhookToken;
	for (const methods of Object.values(document.webhooks))
		for (const operation of Object.values(methods)) delete operation.security;
	return JSON.stringify(document);
}

/**
 * The operations that have the text in their id, which is the name of the SDK's method and of the MCP tool, in their path or
 * in their summary; all of a group that has it in its name. Swagger UI itself looks at groups and paths.
 */
function filterOperations(groups, text) {
	const wanted = text.trim().toLowerCase();
	const has = (value) => String(value).toLowerCase().includes(wanted);
	const isWanted = (row) =>
		has(row.get("path")) ||
		has(row.getIn(["operation", "operationId"])) ||
		has(row.getIn(["operation", "summary"]));
	return groups
		.map((group, name) =>
			has(name)
				? group
				: group.update("operations", (rows) => rows.filter(isWanted)),
		)
		.filter((group) => group.get("operations").size > 0);
}

window.SwaggerUIBundle({
	url: "/openapi.json",
	dom_id: "#reference",
	deepLinking: true,
	docExpansion: "none",
	defaultModelsExpandDepth: 0,
	filter: true,
	plugins: [{ fn: { opsFilter: filterOperations } }],
	// The validator would be a service on another host.
	validatorUrl: null,
	// Highlighting of large answers blocks the page, and needs style attributes.
	syntaxHighlight: false,
	persistAuthorization: false,
	responseInterceptor(response) {
		if (response.url === new URL("/openapi.json", location.href).href)
			response.text = withoutWebhookToken(response.text);
		return response;
	},
});
