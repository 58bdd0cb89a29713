import { parseArgs } from "node:util";
import { benchApi } from "./api.ts";
import { benchBacklog } from "./backlog.ts";
import { benchClaim } from "./claim.ts";
import { benchCopy } from "./copy.ts";
import { benchCost } from "./cost.ts";
import { benchDelivery } from "./delivery.ts";
import { benchFields } from "./fields.ts";
import { type Part, type PartResult, toRatios, toTable } from "./kit/report.ts";
import { benchLatency } from "./latency.ts";
import { benchLists } from "./lists.ts";
import { benchNeighbour } from "./neighbour.ts";
import { benchPeers } from "./peers/peers.ts";
import { benchPostgres } from "./postgres.ts";
import { benchPostgresClaim } from "./postgres-claim.ts";
import { benchFetch, benchVerify } from "./receiver.ts";
import { benchReplay } from "./replay.ts";
import { benchSoak } from "./soak.ts";
import { benchStart } from "./start.ts";
import { benchTwoWorkers } from "./two-workers.ts";

const PARTS: Readonly<Record<string, Part>> = {
	api: benchApi,
	fields: benchFields,
	lists: benchLists,
	delivery: benchDelivery,
	cost: benchCost,
	latency: benchLatency,
	neighbour: benchNeighbour,
	claim: benchClaim,
	backlog: benchBacklog,
	postgres: benchPostgres,
	"postgres-claim": benchPostgresClaim,
	"two-workers": benchTwoWorkers,
	peers: benchPeers,
	copy: benchCopy,
	soak: benchSoak,
	replay: benchReplay,
	verify: benchVerify,
	fetch: benchFetch,
	start: benchStart,
};
/** Parts that run only when they are named, because they take many minutes or install packages. */
const NAMED_ONLY = ["soak", "copy", "peers"];
const USAGE = `npm run bench [-- PART…] [--quick] [--json]\nParts: ${Object.keys(PARTS).join(", ")}`;

function readArguments() {
	try {
		const { values, positionals } = parseArgs({
			allowPositionals: true,
			options: {
				quick: { type: "boolean" },
				json: { type: "boolean" },
				help: { type: "boolean" },
			},
		});
		if (values.help) {
			console.log(USAGE);
			process.exit(0);
		}
		const unknown = positionals.filter((name) => !Object.hasOwn(PARTS, name));
		if (unknown.length > 0)
			throw new TypeError(`unknown part: ${unknown.join(", ")}`);
		return {
			names:
				positionals.length > 0
					? positionals
					: Object.keys(PARTS).filter((name) => !NAMED_ONLY.includes(name)),
			quick: values.quick ?? false,
			json: values.json ?? false,
		};
	} catch (error) {
		console.error(`${(error as Error).message}\n${USAGE}`);
		process.exit(2);
	}
}

const { names, quick, json } = readArguments();
const results: PartResult[] = [];
for (const name of names) {
	const result = await (PARTS[name] as Part)({ quick });
	results.push(result);
	const ratios = Object.entries(toRatios([result]));
	console.log(
		`${name}\n${toTable([
			...result.rows,
			...ratios.map(([key, ratio]) => ({ name: key, value: `${ratio}` })),
		])}\n`,
	);
}
if (json) console.log(JSON.stringify(toRatios(results)));
