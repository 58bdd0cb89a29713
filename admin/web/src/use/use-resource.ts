import { onScopeDispose, type ShallowRef, shallowRef } from "vue";
import { asFault, type Fault } from "../api/fault.ts";

export interface Resource<Data> {
	/** The last answer. It stays while the next one is loading. */
	readonly data: Readonly<ShallowRef<Data | undefined>>;
	readonly fault: Readonly<ShallowRef<Fault | undefined>>;
	readonly loading: Readonly<ShallowRef<boolean>>;
	load(): Promise<void>;
}

/** Loads data now and on request. If answers overtake each other, that of the last request counts. */
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
