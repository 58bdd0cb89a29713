import { readonly, ref } from "vue";
import { askFresh } from "./transport.ts";

/** A hint that something changed and must be reloaded. `all`: reload everything, because hints were missed. */
export type Hint =
	| { kind: "delivery"; uuid: string; integrationId: string }
	| { kind: "integration"; id: string }
	| { kind: "all" };

type Listener = (hint: Hint) => void;

const listeners = new Set<Listener>();
const isLive = ref(false);
let source: EventSource | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;

const RETRY_MS = 5000;

/** Whether the stream is connected, so that changes show as they happen. */
export const live = readonly(isLive);

const tell = (hint: Hint) => {
	askFresh();
	for (const listener of listeners) listener(hint);
};

function connect(): EventSource {
	const opened = new EventSource("/_admin/stream");
	opened.addEventListener("open", () => {
		isLive.value = true;
		// The service does not repeat changes that happened while no stream was open.
		tell({ kind: "all" });
	});
	opened.addEventListener("error", () => {
		isLive.value = false;
		// The browser does not reconnect after an error status, such as a proxy's 502.
		if (opened.readyState === EventSource.CLOSED && source === opened)
			retry = setTimeout(reconnect, RETRY_MS);
	});
	opened.addEventListener("delivery", ({ data }) => {
		const { uuid, integration_id } = JSON.parse(data);
		tell({ kind: "delivery", uuid, integrationId: integration_id });
	});
	opened.addEventListener("integration", ({ data }) => {
		tell({ kind: "integration", id: JSON.parse(data).id });
	});
	opened.addEventListener("overflow", () => tell({ kind: "all" }));
	return opened;
}

/** Connects again. It also reloads the data, which shows whether the session has ended meanwhile. */
function reconnect() {
	disconnect();
	tell({ kind: "all" });
	follow();
}

/** Only a visible tab has a stream: browsers open six connections to a host, and each stream takes one. */
const follow = () => {
	if (document.visibilityState === "visible") source ??= connect();
	else disconnect();
};

function disconnect() {
	clearTimeout(retry);
	source?.close();
	source = undefined;
	isLive.value = false;
}

/** Opens the stream of the session. The browser reconnects by itself. */
export function openStream(): void {
	document.addEventListener("visibilitychange", follow);
	follow();
}

export function closeStream(): void {
	document.removeEventListener("visibilitychange", follow);
	disconnect();
}

/** Adds a listener. Returns a function that removes it. */
export function onHint(listener: Listener): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}
