/* Starts Swagger UI on the service's own document; nothing is asked of another host. */
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const follow = () =>
	document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

/** The document without the token that webhooks carry: it is no key of the API, and "Authorize" would ask for it. */
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
	// The validator is a service elsewhere.
	validatorUrl: null,
	// Colouring of large answers blocks the page, and writes style attributes.
	syntaxHighlight: false,
	persistAuthorization: false,
	responseInterceptor(response) {
		if (response.url === new URL("/openapi.json", location.href).href)
			response.text = withoutWebhookToken(response.text);
		return response;
	},
});
