import { readonly, ref } from "vue";

/** What changed: a hint to load again what is shown. `all` is a change of more than was told. */
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

/** Whether changes are told as they happen. */
export const live = readonly(isLive);

const tell = (hint: Hint) => {
	for (const listener of listeners) listener(hint);
};

function connect(): EventSource {
	const opened = new EventSource("/_admin/stream");
	opened.addEventListener("open", () => {
		isLive.value = true;
		// What happened while nobody listened is not told again.
		tell({ kind: "all" });
	});
	opened.addEventListener("error", () => {
		isLive.value = false;
		// After an answer that is none, such as a proxy's 502, the browser gives up.
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

/** What is loaded again tells whether the session has ended meanwhile. */
function reconnect() {
	disconnect();
	tell({ kind: "all" });
	follow();
}

/** A browser opens six connections to a host, and a stream is one: a tab that nobody sees has none. */
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

/** Opens the stream of the session; the browser connects again by itself. */
export function openStream(): void {
	document.addEventListener("visibilitychange", follow);
	follow();
}

export function closeStream(): void {
	document.removeEventListener("visibilitychange", follow);
	disconnect();
}

/** Listens until the answer is called. */
export function onHint(listener: Listener): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}
