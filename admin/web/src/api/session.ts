import { computed, shallowRef } from "vue";
import { asFault } from "./fault.ts";
import {
	SESSION_URL,
	send,
	useCsrfToken,
	whenUnauthorized,
} from "./transport.ts";

export interface Session {
	readonly company: { readonly uuid: string; readonly name: string };
	readonly user: {
		readonly uuid: string;
		readonly email: string;
		readonly first_name: string;
		readonly last_name: string;
	};
	readonly permissions: { readonly read: boolean; readonly write: boolean };
	readonly csrf_token: string;
	readonly expires_at: string;
}

/** The company and the user that a set-up link creates. They cannot be changed later. */
export interface SetUp {
	company_name: string;
	email: string;
	first_name: string;
	last_name: string;
}
export type Credential = { api_key: string } | ({ link_token: string } & SetUp);

const current = shallowRef<Session | null>(null);

/** The session; null if nobody is signed in. */
export const session = computed(() => current.value);

/** Whether the session may write. Otherwise no button that writes is shown. */
export const canWrite = computed(
	() => current.value?.permissions.write ?? false,
);

const keep = (next: Session | null) => {
	useCsrfToken(next?.csrf_token ?? "");
	current.value = next;
};

whenUnauthorized(() => keep(null));

/** Restores the session of the cookie, if there is one. Throws a `Fault` if the service gives no answer. */
export async function restoreSession(): Promise<void> {
	keep((await unlessSignedOut(send("GET", SESSION_URL))) as Session | null);
}

export async function signIn(credential: Credential): Promise<void> {
	keep((await send("POST", SESSION_URL, credential)) as Session);
}

export async function signOut(): Promise<void> {
	await unlessSignedOut(send("DELETE", SESSION_URL));
	keep(null);
}

/** The service's answer, or null if nobody is signed in. */
async function unlessSignedOut(answer: Promise<unknown>): Promise<unknown> {
	try {
		return await answer;
	} catch (thrown) {
		if (asFault(thrown).code === "unauthorized") return null;
		throw thrown;
	}
}
