import { computed, type WritableComputedRef } from "vue";
import { useRoute, useRouter } from "vue-router";

/** One member of the address's query, so that a filtered page can be shared. A change goes back to the first page. */
export function useQuery(
	name: string,
	initial = "",
): WritableComputedRef<string> {
	const route = useRoute();
	const router = useRouter();
	return computed({
		get: () => {
			const value = route.query[name];
			return typeof value === "string" ? value : initial;
		},
		set: (value) => {
			const { [name]: _, page, ...rest } = route.query;
			const kept = name === "delivery" && page ? { page } : {};
			const set = value === initial || value === "" ? {} : { [name]: value };
			void router.replace({ query: { ...rest, ...kept, ...set } });
		},
	});
}

/** The page of a list, counted from 1. */
export function usePageNumber(): WritableComputedRef<number> {
	const text = useQuery("page", "1");
	return computed({
		get: () => (/^[1-9]\d{0,6}$/.test(text.value) ? Number(text.value) : 1),
		set: (value) => {
			text.value = String(value);
		},
	});
}
