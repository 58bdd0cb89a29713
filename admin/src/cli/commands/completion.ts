/* `partnerwire completion`: prints the completion script of a shell. */
import { toBash } from "../completion/to-bash.ts";
import { toFish } from "../completion/to-fish.ts";
import { toZsh } from "../completion/to-zsh.ts";
import { defineCommand } from "../define-command.ts";
import { word } from "../settings/flag.ts";
import { oneOf } from "../settings/readers.ts";

const SHELLS = { bash: toBash, zsh: toZsh, fish: toFish };
const NAMES = ["bash", "zsh", "fish"] as const;

export const completion = defineCommand({
	name: "completion",
	description:
		"Print a script that completes commands, flags and event ids in a shell",
	examples: [
		'eval "$(partnerwire completion bash)"',
		"partnerwire completion zsh > ~/.zfunc/_partnerwire",
		"partnerwire completion fish > ~/.config/fish/completions/partnerwire.fish",
	],
	flags: {
		shell: word(
			NAMES.join(", "),
			(given) => oneOf(NAMES)(given, "completion"),
			NAMES,
		),
	},
	async run({ flags: { shell }, output }) {
		const { listSpots } = await import("../completion/list-spots.ts");
		const script = SHELLS[shell](await listSpots());
		output.say({ shell, script }, script);
	},
});
