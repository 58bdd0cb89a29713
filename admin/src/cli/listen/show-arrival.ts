import type { Observation } from "@partnerwire/receiver";
import type { ForwardAnswer } from "../../service/hook-app.ts";
import { paint, printable } from "../output/output.ts";
import { showObservation } from "../output/show-observation.ts";
import type { Arrival } from "./arrivals.ts";

/** The members by which people recognise a record. */
const TELLING = [
	"company_name",
	"label",
	"email",
	"first_name",
	"last_name",
	"content",
	"status",
];
const LONGEST = 80;

/** Formats a request for the live view: time, number, verdict and record. */
export function showArrival(
	{ number, replayOf, request }: Arrival,
	seen: Observation,
	at: Date,
): string {
	const replayed = replayOf === undefined ? "" : ` again #${replayOf}`;
	const head = `${paint.dim(at.toTimeString().slice(0, 8))}  ${paint.bold(`#${number}${replayed}`)}  ${showObservation(seen)}`;
	// Unsigned content is not shown: anybody can send anything.
	const summary = seen.status === 200 ? summarize(request.body) : "";
	const marks = [
		seen.conflict && "the same delivery came with another payload before",
		seen.stale && "a later event of this record came before",
		seen.tokenReused && "the same token came with another body before",
	].filter(Boolean);
	return [
		head,
		...(summary === "" ? [] : [`          ${summary}`]),
		...marks.map((mark) => `          ${paint.yellow(String(mark))}`),
	].join("\n");
}

/** Formats the answer of the receiver that a request was forwarded to. */
export function showForward(url: string, answer: ForwardAnswer): string {
	const { status, error, body, durationMs } = answer;
	if (status === null)
		return `          ${paint.red(`${printable(url)} gave no answer (${printable(error ?? "")}): the sender got 502, and will try again`)}`;
	const verdict = status === 200 ? paint.green(status) : paint.red(status);
	const said = body === "" ? "" : `  ${paint.dim(shorten(body))}`;
	return `          ${printable(url)} answered ${verdict} in ${durationMs} ms${said}`;
}

function summarize(bytes: ArrayBuffer): string {
	try {
		const body = JSON.parse(new TextDecoder().decode(bytes)) as object;
		const record = Object.entries(body).find(
			([name]) => name !== "configuration",
		)?.[1] as Record<string, unknown>;
		return TELLING.filter((name) => typeof record[name] === "string")
			.map((name) => `${paint.dim(name)} ${shorten(String(record[name]))}`)
			.join("  ");
	} catch {
		return "";
	}
}

const shorten = (text: string): string => {
	const letters = [...text];
	return printable(
		letters.length > LONGEST ? `${letters.slice(0, LONGEST).join("")}…` : text,
	);
};
