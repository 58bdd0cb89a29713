import { createHmac } from "node:crypto";
import { jwtVerify } from "jose";
import { expect, test } from "vitest";
import { importSecret, signToken } from "../src/sign/sign-token.ts";

const SECRET = "7b0f6a52-3c1d-4a8e-9f00-1a2b3c4d5e6f";
const claims = {
	company_uuid: "c",
	user_uuid: "u",
	event_id: "lead_created",
	iat: 1_795_780_800,
	exp: 1_795_784_400,
};
const currentDate = new Date(claims.iat * 1000);

test("A102 a token is HS256 over the secret exactly as it is spelled", async () => {
	const token = await signToken(claims, SECRET);
	const [head = "", body = "", signature] = token.split(".");
	const expected = createHmac("sha256", SECRET)
		.update(`${head}.${body}`)
		.digest("base64url");
	expect(signature).toBe(expected);
	const { payload, protectedHeader } = await jwtVerify(
		token,
		new TextEncoder().encode(SECRET),
		{ currentDate },
	);
	expect(payload).toEqual(claims);
	expect(protectedHeader).toEqual({ alg: "HS256", typ: "JWT" });
	const other = new TextEncoder().encode(SECRET.toUpperCase());
	await expect(jwtVerify(token, other, { currentDate })).rejects.toThrow();
});

test("an imported secret signs the same token", async () => {
	expect(await signToken(claims, await importSecret(SECRET))).toBe(
		await signToken(claims, SECRET),
	);
});

test("an empty secret is refused", () => {
	for (const secret of ["", "  "])
		expect(() => importSecret(secret)).toThrow(TypeError);
});
