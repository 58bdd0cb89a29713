import { describeKills } from "../helpers/kill-matrix.ts";

describeKills(["SQLite", "PostgreSQL"], {
	events: 400,
	killEvery: 16,
	processes: 3,
});
