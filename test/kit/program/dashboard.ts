import type { Answer, Init, TestClient } from "./client.ts";

type Client = Pick<TestClient, "request">;

/** A browser that is signed in to the dashboard. */
export interface SignedIn {
	/** `name=value`, as the browser sends it. */
	readonly cookie: string;
	readonly csrf: string;
	/** The answer to the sign-in. */
	readonly answer: Answer;
	/** Calls as the dashboard's page does; `headers` win. */
	request(method: string, path: string, init?: Init): Promise<Answer>;
}

export const trySignIn = (
	api: Client,
	body: unknown,
	headers: Record<string, string> = {},
): Promise<Answer> =>
	api.request("POST", "/_admin/session", { key: null, body, headers });

/** Signs in with an API key, or with whatever the body says. */
export async function signIn(
	api: Client,
	key: string | object,
	headers: Record<string, string> = {},
): Promise<SignedIn> {
	const body = typeof key === "string" ? { api_key: key } : key;
	const answer = await trySignIn(api, body, headers);
	if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
	const [cookie = ""] = answer.headers.getSetCookie();
	const pair = cookie.split(";")[0] as string;
	const csrf = answer.body.csrf_token;
	return {
		cookie: pair,
		csrf,
		answer,
		request: (method, path, init) =>
			api.request(method, path, {
				key: null,
				...init,
				headers: { cookie: pair, "x-csrf-token": csrf, ...init?.headers },
			}),
	};
}
