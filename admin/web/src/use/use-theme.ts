import { computed, ref, watchEffect } from "vue";

export type Theme = "system" | "light" | "dark";
const THEMES: readonly Theme[] = ["system", "light", "dark"];
const KEY = "partnerwire-theme";

const isTheme = (value: unknown): value is Theme =>
	(THEMES as readonly unknown[]).includes(value);

const stored = localStorage.getItem(KEY);
const theme = ref<Theme>(isTheme(stored) ? stored : "system");
const dark = matchMedia("(prefers-color-scheme: dark)");
const systemIsDark = ref(dark.matches);
dark.addEventListener("change", ({ matches }) => {
	systemIsDark.value = matches;
});
const isDark = computed(() =>
	theme.value === "system" ? systemIsDark.value : theme.value === "dark",
);

watchEffect(() => {
	document.documentElement.classList.toggle("dark", isDark.value);
	document.documentElement.classList.toggle("light", !isDark.value);
	localStorage.setItem(KEY, theme.value);
});

/** The theme: light, dark, or the system's. The browser stores the choice. */
export function useTheme() {
	const next = () => {
		theme.value = isDark.value ? "light" : "dark";
	};
	return { theme, isDark, next };
}
