import { onScopeDispose, type ShallowRef, shallowRef } from "vue";
import { asFault, type Fault } from "../api/fault.ts";

export interface Resource<Data> {
	/** What came last; it stays while more is loading. */
	readonly data: Readonly<ShallowRef<Data | undefined>>;
	readonly fault: Readonly<ShallowRef<Fault | undefined>>;
	readonly loading: Readonly<ShallowRef<boolean>>;
	load(): Promise<void>;
}

/** Loads something now and whenever asked; of answers that overtake each other the last question's counts. */
export function useResource<Data>(read: () => Promise<Data>): Resource<Data> {
	const data = shallowRef<Data>();
	const fault = shallowRef<Fault>();
	const loading = shallowRef(false);
	let turn = 0;
	onScopeDispose(() => {
		turn = -1;
	});

	async function load() {
		turn += 1;
		const mine = turn;
		loading.value = true;
		try {
			const value = await read();
			if (mine !== turn) return;
			data.value = value;
			fault.value = undefined;
		} catch (thrown) {
			if (mine === turn) fault.value = asFault(thrown);
		} finally {
			if (mine === turn) loading.value = false;
		}
	}
	void load();
	return { data, fault, loading, load };
}
