import { shallowRef } from "vue";
import { asFault, type Fault, toFieldErrors } from "../api/fault.ts";

/** The action of a button: one run at a time, with its fault kept for the page. `run` resolves to undefined on failure. */
export function useAction<Arguments extends unknown[], Result>(
	work: (...values: Arguments) => Promise<Result>,
) {
	const busy = shallowRef(false);
	const fault = shallowRef<Fault>();
	const fieldErrors = shallowRef<Record<string, string>>({});

	const forget = () => {
		fault.value = undefined;
		fieldErrors.value = {};
	};

	async function run(...values: Arguments): Promise<Result | undefined> {
		if (busy.value) return undefined;
		busy.value = true;
		forget();
		try {
			return await work(...values);
		} catch (thrown) {
			fault.value = asFault(thrown);
			fieldErrors.value = toFieldErrors(fault.value);
			return undefined;
		} finally {
			busy.value = false;
		}
	}
	return { busy, fault, fieldErrors, run, forget };
}
