import { toBash } from "../completion/to-bash.ts";
import { toFish } from "../completion/to-fish.ts";
import { toZsh } from "../completion/to-zsh.ts";
import { defineStrictCommand } from "../define-command.ts";
import { createOutput } from "../output/output.ts";
import { jsonFlag } from "../settings/flags.ts";
import { readWord } from "../settings/read-list.ts";
import { readSettings } from "../settings/settings.ts";

const SHELLS = { bash: toBash, zsh: toZsh, fish: toFish };
const NAMES = ["bash", "zsh", "fish"] as const;

/** `partnerwire completion`: prints the completion script of a shell. */
export const completion = defineStrictCommand({
	name: "completion",
	description:
		"Print a script that completes commands, flags and event ids in a shell",
	examples: [
		'eval "$(partnerwire completion bash)"',
		"partnerwire completion zsh > ~/.zfunc/_partnerwire",
		"partnerwire completion fish > ~/.config/fish/completions/partnerwire.fish",
	],
	args: {
		shell: {
			type: "positional",
			description: NAMES.join(", "),
			required: true,
		},
		...jsonFlag,
	},
	async run({ args }) {
		const { json } = readSettings({ json: args.json });
		const shell = readWord(args.shell, "completion", NAMES);
		const { listSpots } = await import("../completion/list-spots.ts");
		const script = SHELLS[shell](await listSpots());
		createOutput(json).say({ shell, script }, script);
	},
});
