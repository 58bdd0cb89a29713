import { shallowRef } from "vue";
import { asFault, type Fault, toFieldErrors } from "../api/fault.ts";

/** Something a button does: once at a time, its fault kept for the page. Answers undefined when it failed. */
export function useAction<Arguments extends unknown[], Result>(
	work: (...given: Arguments) => Promise<Result>,
) {
	const busy = shallowRef(false);
	const fault = shallowRef<Fault>();
	const fieldErrors = shallowRef<Record<string, string>>({});

	const forget = () => {
		fault.value = undefined;
		fieldErrors.value = {};
	};

	async function run(...given: Arguments): Promise<Result | undefined> {
		if (busy.value) return undefined;
		busy.value = true;
		forget();
		try {
			return await work(...given);
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
