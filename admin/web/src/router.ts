import { createRouter, createWebHistory, type Router } from "vue-router";
import { session } from "./api/session.ts";

/** The pages. All but the first are loaded when they are opened. */
const routes = [
	{
		path: "/sign-in",
		name: "sign-in",
		component: () => import("./pages/sign-in.vue"),
		meta: { title: "Sign in", isPublic: true },
	},
	{ path: "/", redirect: "/integrations" },
	{
		path: "/integrations",
		name: "integrations",
		component: () => import("./pages/integration-list.vue"),
		meta: { title: "Integrations" },
	},
	{
		path: "/integrations/new",
		name: "integration-new",
		component: () => import("./pages/integration-new.vue"),
		meta: { title: "New integration" },
	},
	{
		path: "/integrations/:id",
		component: () => import("./pages/integration-page.vue"),
		children: [
			{
				path: "",
				name: "integration",
				component: () => import("./pages/integration-overview.vue"),
				meta: { title: "Integration" },
			},
			{
				path: "deliveries",
				name: "integration-deliveries",
				component: () => import("./pages/integration-deliveries.vue"),
				meta: { title: "Deliveries of an integration" },
			},
			{
				path: "test",
				name: "integration-test",
				component: () => import("./pages/integration-test.vue"),
				meta: { title: "Test webhook" },
			},
			{
				path: "receiver",
				name: "integration-receiver",
				component: () => import("./pages/integration-receiver.vue"),
				meta: { title: "Receiver code" },
			},
			{
				path: "settings",
				name: "integration-settings",
				component: () => import("./pages/integration-settings.vue"),
				meta: { title: "Settings of an integration" },
			},
		],
	},
	{
		path: "/deliveries",
		name: "deliveries",
		component: () => import("./pages/delivery-log.vue"),
		meta: { title: "Deliveries" },
	},
	{
		path: "/replays",
		name: "replays",
		component: () => import("./pages/replay-list.vue"),
		meta: { title: "Replays" },
	},
	{
		path: "/replays/new",
		name: "replay-new",
		component: () => import("./pages/replay-wizard.vue"),
		meta: { title: "New replay" },
	},
	{
		path: "/api-keys",
		name: "api-keys",
		component: () => import("./pages/api-key-list.vue"),
		meta: { title: "API keys" },
	},
	{
		path: "/audit-log",
		name: "audit-log",
		component: () => import("./pages/audit-log.vue"),
		meta: { title: "Audit log" },
	},
	{
		path: "/:path(.*)*",
		name: "not-found",
		component: () => import("./pages/not-found.vue"),
		meta: { title: "Not found" },
	},
];

/** Creates the router. Without a session, a page leads to the sign-in page, which leads back to it. */
export function createAppRouter(): Router {
	const router = createRouter({
		history: createWebHistory(),
		routes,
		scrollBehavior: (to, from, saved) =>
			saved ?? (to.path === from.path ? false : { top: 0 }),
	});
	router.beforeEach((to) => {
		const isPublic = to.meta.isPublic === true;
		if (!session.value && !isPublic)
			return { name: "sign-in", query: { next: to.fullPath } };
		if (session.value && isPublic) return { path: "/integrations" };
		return true;
	});
	router.afterEach((to, from) => {
		document.title = `${String(to.meta.title)} · Partnerwire`;
		// Screen readers start a new page at its heading. A changed filter keeps the focus.
		if (to.path !== from.path && from.matched.length > 0)
			document.getElementById("main")?.focus({ preventScroll: true });
	});
	// After an upgrade, the server no longer has the parts of the older dashboard: load the new one.
	router.onError((_error, to, from) => {
		if (from.matched.length > 0) location.assign(to.fullPath);
	});
	return router;
}
