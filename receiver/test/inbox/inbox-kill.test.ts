import { describeKills } from "../helpers/kill-matrix.ts";

describeKills(["SQLite"], { events: 24, killEvery: 8, processes: 1 });
