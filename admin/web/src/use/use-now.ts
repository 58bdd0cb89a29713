import { readonly, ref } from "vue";

const now = ref(Date.now());
setInterval(() => {
	now.value = Date.now();
}, 5000);

/** The time, in steps of five seconds, for "3 minutes ago". */
export const useNow = () => readonly(now);
