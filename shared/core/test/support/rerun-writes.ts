import type { Store } from "../../src/index.ts";

/** Makes each write run twice. The first run is rolled back, as if another transaction had won. */
export function rerunWrites(store: Store): void {
	const { write } = store;
	const undone = new Error("rolled back");
	store.write = async (work, scope) => {
		const first = write(async (db) => {
			await work(db);
			throw undone;
		}, scope);
		await first.catch((error) => {
			if (error !== undone) throw error;
		});
		return write(work, scope);
	};
}
