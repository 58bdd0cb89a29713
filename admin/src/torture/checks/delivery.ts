import { EVENT_IDS } from "@partnerwire/wire";
import {
	type Check,
	OK,
	OK_OR_LATER,
	REFUSED_OR_CLOSED,
	sends,
} from "../check.ts";
import type { Kit } from "../kit.ts";
import type { Answer } from "../send-shot.ts";

const DUPLICATES =
	"spec, Delivery: receivers should tolerate duplicate deliveries";
const EXACTLY_200 =
	"Answer exactly 200: every other status, 201, 202 and 204 too, is a failed delivery.";
const ANSWER_COPIES =
	"Answer a copy of what you have done with 200: an error makes the sender try it again for three days.";
const COPIES = 6;

/** The same delivery as a retry: with another token, a second later. */
async function retryOf(kit: Kit, body: string, jti: string) {
	const iat = kit.nowS() - 1;
	return kit.shot({ body, claims: { jti, iat } });
}

/** The first check. If it fails, the other checks mean nothing. */
export const BASELINE: Check = {
	id: "delivery/right",
	title: "a right delivery",
	level: "must",
	expected: OK,
	source: "spec, Delivery: 200 within 10 seconds",
	advice: `${EXACTLY_200} Is the secret that of the receiver? Is its clock right?`,
	run: sends((kit) => kit.shot()),
};

/** Deliveries as the service sends them. Each must be acknowledged. */
export const DELIVERY_CHECKS: readonly Check[] = [
	{
		id: "delivery/events",
		title: `each of the ${EVENT_IDS.length} events`,
		level: "must",
		expected: OK,
		source: "spec, Event kinds",
		advice:
			"Acknowledge events that you do not handle with 200, or take them out of the integration's event_ids.",
		run: sends(
			...EVENT_IDS.map((eventId) => (kit: Kit) => kit.shot({ eventId })),
		),
	},
	{
		id: "delivery/chunked",
		title: "a body without its length",
		level: "must",
		expected: OK,
		source: "RFC 9112 section 7.1: chunked must be understood",
		advice: "Do not ask for Content-Length: a proxy may take it away.",
		run: sends(async (kit) => ({ ...(await kit.shot()), isChunked: true })),
	},
	{
		id: "delivery/pieces",
		title: "a body that comes in pieces",
		level: "must",
		expected: OK,
		source: "spec, Delivery: 200 within 10 seconds",
		advice: "Read the body to its end: one data event need not be all of it.",
		run: sends(async (kit) => ({ ...(await kit.shot()), pieces: 4 })),
	},
	{
		id: "delivery/optional-claims",
		title: "a token with api_key and external_settings",
		level: "must",
		expected: OK,
		source: "spec, Webhook requests 2: the optional claims",
		advice: "Accept the optional claims, and never log them.",
		run: sends((kit) =>
			kit.shot({
				claims: {
					api_key: "torture",
					external_settings: { authorisation: [{ id: "a", value: "b" }] },
					sequence: 1,
				},
			}),
		),
	},
];

/** Copies. Only the answers can be checked from outside, not the receiver's side effects. */
export const DUPLICATE_CHECKS: readonly Check[] = [
	{
		id: "duplicate/same",
		title: "the same request three times",
		level: "must",
		expected: OK,
		source: DUPLICATES,
		advice: ANSWER_COPIES,
		async run(kit) {
			const shot = await kit.shot();
			return sends(...Array.from({ length: 3 }, () => async () => shot))(kit);
		},
	},
	{
		id: "duplicate/retry",
		title: "the same delivery under a new token",
		level: "must",
		expected: OK,
		source: "docs/decisions.md: jti is the delivery, on every attempt",
		advice: `${ANSWER_COPIES} Recognise it by jti, not by its token.`,
		async run(kit) {
			const body = kit.body();
			const jti = crypto.randomUUID();
			const sendCopy = () => retryOf(kit, body, jti);
			return sends(
				() => kit.shot({ body, claims: { jti } }),
				sendCopy,
				sendCopy,
			)(kit);
		},
	},
	{
		id: "duplicate/no-jti",
		title: "the same delivery without jti",
		level: "must",
		expected: OK,
		source: DUPLICATES,
		advice: `${ANSWER_COPIES} Without jti, the payload tells.`,
		async run(kit) {
			const body = kit.body();
			const sendCopy = () => kit.shot({ body, claims: { jti: undefined } });
			return sends(sendCopy, sendCopy)(kit);
		},
	},
	{
		id: "duplicate/race",
		title: `${COPIES} copies at once, then one more`,
		level: "must",
		expected: OK_OR_LATER,
		source: DUPLICATES,
		advice:
			"Claim a delivery before you handle it; a copy waits for the outcome or gets 503. The last copy must get 200.",
		async run(kit) {
			const shot = await kit.shot();
			const copies = Array.from({ length: COPIES }, () => kit.send(shot));
			return [...(await Promise.all(copies)), await kit.send(shot)];
		},
		judge: (answers) => {
			const last = answers.at(-1) as Answer;
			return (
				answers.find((answer) => !OK_OR_LATER.allows(answer)) ??
				(OK.allows(last) ? undefined : last)
			);
		},
	},
	{
		id: "duplicate/other-records",
		title: `${COPIES} different deliveries at once`,
		level: "must",
		expected: OK,
		source: "spec, Delivery: 200 within 10 seconds",
		advice: "Records are delivered beside one another: handle them so.",
		async run(kit) {
			const shots = await Promise.all(
				Array.from({ length: COPIES }, () => kit.shot()),
			);
			return Promise.all(shots.map((shot) => kit.send(shot)));
		},
	},
];

const HOLDS =
	"A connection that a stranger holds open for nothing is one that a sender does not get.";

/** Bodies that never end: the receiver must have a timeout. */
export const SLOW_CHECKS: readonly Check[] = [
	{
		id: "slow/forged",
		title: "a forged token, and a body that never ends",
		level: "must",
		expected: REFUSED_OR_CLOSED,
		source: "RFC 9110 section 15.5.9; spec, Webhook requests 3",
		advice: `Verify the token before the body is read. ${HOLDS}`,
		run: sends(async (kit) => ({
			...(await kit.shot({ secret: "stranger" })),
			isStalled: true,
		})),
	},
	{
		id: "slow/right",
		title: "a right token, and a body that never ends",
		level: "must",
		expected: REFUSED_OR_CLOSED,
		source: "RFC 9110 section 15.5.9: 408 Request Timeout",
		advice: `Stop reading after some seconds, with 408. ${HOLDS}`,
		run: sends(async (kit) => ({ ...(await kit.shot()), isStalled: true })),
	},
];
