import {
	type Check,
	NOT_OK,
	OK,
	REFUSED,
	sends,
	UNAUTHORIZED,
} from "../check.ts";
import { authorizationOf, type Kit, withAuthorization } from "../kit.ts";

const MISSING = "spec, Webhook requests 3: a missing token";
const NO_TOKEN =
	"Answer 401 when there is no bearer token, before anything else.";

const authorized =
	(...change: ((good: string) => string)[]) =>
	async (kit: Kit) => {
		const shot = await kit.shot();
		const good = authorizationOf(shot);
		return withAuthorization(shot, ...change.map((each) => each(good)));
	};
const badTokenOf = (good: string) => `${good.slice(0, -6)}AAAAAA`;

/** Checks of the place of the token: only the Authorization header counts. */
export const HEADER_CHECKS: readonly Check[] = [
	{
		id: "header/missing",
		title: "no Authorization header",
		level: "must",
		expected: UNAUTHORIZED,
		source: MISSING,
		advice: NO_TOKEN,
		run: sends(authorized()),
	},
	{
		id: "header/empty",
		title: "an empty bearer token",
		level: "must",
		expected: UNAUTHORIZED,
		source: MISSING,
		advice: NO_TOKEN,
		run: sends(
			authorized(() => ""),
			authorized(() => "Bearer"),
			authorized(() => "Bearer  "),
		),
	},
	{
		id: "header/other-scheme",
		title: "the token under another scheme",
		level: "must",
		expected: UNAUTHORIZED,
		source: "spec, Webhook requests 1: Authorization: Bearer <JWT>",
		advice: "Take the token of the Bearer scheme only.",
		run: sends(
			authorized((good) => good.replace("Bearer", "Basic")),
			authorized((good) => good.replace("Bearer ", "")),
		),
	},
	{
		id: "header/query",
		title: "the token in the query string",
		level: "must",
		expected: UNAUTHORIZED,
		source: "RFC 6750 section 5.3: no bearer tokens in URLs",
		advice: "Read the Authorization header only: URLs end up in logs.",
		run: sends(async (kit) => {
			const shot = await kit.shot();
			const token = authorizationOf(shot).slice("Bearer ".length);
			return {
				...withAuthorization(shot),
				suffix: `?access_token=${token}&token=${token}`,
			};
		}),
	},
	{
		id: "header/cookie",
		title: "the token in a cookie and in x-headers",
		level: "must",
		expected: UNAUTHORIZED,
		source: MISSING,
		advice: "Read the Authorization header only.",
		run: sends(async (kit) => {
			const shot = await kit.shot();
			const good = authorizationOf(shot);
			const bare = withAuthorization(shot);
			return {
				...bare,
				headers: [
					...bare.headers,
					["cookie", `token=${good.slice("Bearer ".length)}`],
					["x-authorization", good],
				],
			};
		}),
	},
	{
		id: "header/two-tokens",
		title: "a forged token before the right one",
		level: "must",
		expected: REFUSED,
		source: "RFC 9110 section 5.3: Authorization comes once",
		advice: "Refuse a request with two different Authorization values.",
		run: sends(authorized(badTokenOf, (good) => good)),
	},
	{
		id: "header/scheme-case",
		title: "the scheme in lower and upper case",
		level: "should",
		expected: OK,
		source: "RFC 9110 section 11.1: the scheme's case does not matter",
		advice: "Compare the scheme without regard to case.",
		run: sends(
			authorized((good) => good.replace("Bearer", "bearer")),
			authorized((good) => good.replace("Bearer", "BEARER")),
		),
	},
	{
		id: "header/get",
		title: "GET and PUT with a right token",
		level: "should",
		expected: NOT_OK,
		source: "spec, Delivery: POST",
		advice: "Answer 405 to other methods than POST.",
		run: sends(
			async (kit) => ({ ...(await kit.shot()), method: "PUT" }),
			async (kit) => ({ ...(await kit.shot({ body: "" })), method: "GET" }),
		),
	},
	{
		id: "header/content-type-charset",
		title: "content type with a charset",
		level: "must",
		expected: OK,
		source: "RFC 9110 section 8.3.1: a media type may have parameters",
		advice: "Compare the media type without its parameters.",
		run: sends((kit) =>
			kit.shot({ contentType: "application/json; charset=utf-8" }),
		),
	},
];
