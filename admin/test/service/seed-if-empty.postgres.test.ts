import { expect, test } from "vitest";
import { newDatabase } from "#kit/database/database.ts";
import { seedIfEmpty } from "../../src/cli/start.ts";
import { openService } from "../../src/service/open-service.ts";

test("two processes that start on one empty database seed one company", async () => {
	const database = await newDatabase();
	const open = () => openService({ database, secretKey: "ab".repeat(32) });
	const services = [await open(), await open()];
	const said: object[] = [];
	const output = { say: (event: object) => void said.push(event) };
	const seeded = await Promise.all(
		services.map((service) => seedIfEmpty(service, output as never)),
	);
	expect(seeded.filter((one) => one !== null)).toHaveLength(1);
	expect(said).toHaveLength(1);
	for (const service of services) await service.close();
});
