import "./app.css";
import ui from "@nuxt/ui/vue-plugin";
import { createApp, watch } from "vue";
import { restoreSession, session } from "./api/session.ts";
import { closeStream, openStream } from "./api/stream.ts";
import App from "./app.vue";
import { takeSetUpLink } from "./lib/set-up-link.ts";
import { createAppRouter } from "./router.ts";

takeSetUpLink(location, history);
await restoreSession();

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
