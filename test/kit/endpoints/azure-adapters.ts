/** Azure Functions: the requests and answers of its library, as it makes them of what the host sends and takes. */
import azure, { type HttpHandler } from "@azure/functions";
import { toAzure } from "@partnerwire/receiver/azure";
import { type Adapter, inProcess } from "./fetch-adapters.ts";
import {
	bodyBytes,
	hasBody,
	headerLines,
	type Shot,
	toAnswer,
	toRequest,
} from "./shot.ts";

type RequestInit = ConstructorParameters<typeof azure.HttpRequest>[0];

/** The host joins the values of a header by commas, and sends the body's bytes. */
function toInit(shot: Shot): RequestInit {
	const headers: Record<string, string> = {};
	for (const [name, value] of headerLines(shot))
		headers[name] = headers[name] ? `${headers[name]},${value}` : value;
	return {
		method: shot.method ?? "POST",
		url: `http://127.0.0.1${shot.path ?? "/hook"}`,
		headers,
		...(hasBody(shot) ? { body: { bytes: bodyBytes(shot) } } : {}),
	};
}

/** With `enableHttpStream` the library gives its request a web request, whose body is still arriving. */
function toStreamInit(shot: Shot): RequestInit {
	const init = { params: {}, nativeRequest: toRequest(shot) };
	return init;
}

const open =
	(toInit: (shot: Shot) => RequestInit): Adapter["open"] =>
	(receiver) => {
		const handler: HttpHandler = toAzure(receiver);
		return inProcess(async (shot) => {
			const request = new azure.HttpRequest(toInit(shot));
			const result = await handler(request, new azure.InvocationContext());
			const response = new azure.HttpResponse(result);
			const headers = Object.fromEntries(response.headers);
			return toAnswer(response.status, headers, await response.text());
		});
	};

export const AZURE_ADAPTERS: readonly Adapter[] = [
	{ name: "azure", streams: false, socket: false, open: open(toInit) },
	{
		name: "azure with streams",
		streams: true,
		socket: false,
		open: open(toStreamInit),
	},
];
