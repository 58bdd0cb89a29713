/* Starts Swagger UI on the service's own document; nothing is asked of another host. */
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const follow = () =>
	document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

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
});
