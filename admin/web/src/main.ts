import "./app.css";
import ui from "@nuxt/ui/vue-plugin";
import { createApp, watch } from "vue";
import { asFault, type Fault } from "./api/fault.ts";
import { restoreSession, session } from "./api/session.ts";
import { closeStream, openStream } from "./api/stream.ts";
import App from "./app.vue";
import { takeSetUpLink } from "./lib/set-up-link.ts";
import NoAnswer from "./no-answer.vue";
import { createAppRouter } from "./router.ts";

function start(): void {
	const router = createAppRouter();
	watch(
		session,
		(now) => {
			if (now) return openStream();
			closeStream();
			const at = router.currentRoute.value;
			if (at.meta.isPublic !== true)
				void router.replace({ name: "sign-in", query: { next: at.fullPath } });
		},
		{ flush: "post" },
	);
	if (session.value) openStream();
	createApp(App).use(router).use(ui).mount("#app");
}

/** Shown if it is not known whether there is a session. The address stays, so that the page can be reloaded. */
function complain(fault: Fault): void {
	createApp(NoAnswer, { fault }).use(ui).mount("#app");
}

takeSetUpLink(location, history);
await restoreSession().then(start, (thrown) => complain(asFault(thrown)));
