import { defineWrite, email, requiredLine, text } from "@partnerwire/contract";
import * as z from "zod";

const Permissions = z.object({ read: z.boolean(), write: z.boolean() });

/** The user who is signed in, and the CSRF token of the page. */
export const SessionAnswer = z.object({
	company: z.object({ uuid: z.string(), name: z.string() }),
	user: z.object({
		uuid: z.string(),
		email: z.string(),
		first_name: z.string(),
		last_name: z.string(),
	}),
	permissions: Permissions,
	/** Sent as `X-CSRF-Token` with every request but GET. */
	csrf_token: z.string(),
	expires_at: z.string(),
});
export type SessionAnswer = z.infer<typeof SessionAnswer>;

const secret = () => text(200).transform((value) => value.trim());

/** Defined like an operation, so that its body is parsed like any other. It is not in the table: it has no caller yet. */
export const signIn = defineWrite({
	group: "Dashboard",
	method: "POST",
	path: "/_admin/session",
	summary: "Sign in with an API key, or begin with the set-up link",
	body: z
		.object({
			api_key: secret().optional(),
			link_token: secret().optional(),
			company_name: requiredLine().default("My company"),
			email: email().default("admin@localhost.localdomain"),
			first_name: requiredLine().default("Admin"),
			last_name: requiredLine().default("User"),
		})
		.refine(
			({ api_key, link_token }) =>
				(api_key === undefined) !== (link_token === undefined),
			{ path: ["api_key"], error: "give an API key or a link's token" },
		),
	response: SessionAnswer,
	secret: true,
});
export type SignIn = z.output<typeof signIn.body>;
