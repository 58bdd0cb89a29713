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

window.SwaggerUIBundle({
	url: "/openapi.json",
	dom_id: "#reference",
	deepLinking: true,
	docExpansion: "none",
	defaultModelsExpandDepth: 0,
	filter: true,
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
