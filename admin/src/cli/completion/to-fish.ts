import type { Spot } from "./list-spots.ts";

const quote = (text: string) =>
	`'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

/** A completion script for fish, with descriptions. */
export function toFish(spots: readonly Spot[]): string {
	const below = spots
		.filter(({ commands }) => commands.length > 0)
		.map(
			({ words, commands }) =>
				`    case ${quote(words)}\n      contains -- $word ${commands.map(({ word }) => word).join(" ")}; and set path (string trim "$path $word"); or break`,
		);
	const lines = spots.flatMap((spot) => {
		const at = `complete -c partnerwire -n ${quote(`__partnerwire_at ${quote(spot.words)}`)}`;
		return [
			...spot.commands.map(
				({ word, description }) => `${at} -a ${word} -d ${quote(description)}`,
			),
			...spot.flags.map(({ word, description }) => {
				const known = spot.values[word];
				const value =
					known === undefined
						? ""
						: known === "file"
							? " -r -F"
							: ` -x -a ${quote(known.join(" "))}`;
				return `${at} -l ${word.slice(2)}${value} -d ${quote(description)}`;
			}),
			...(spot.arguments.length > 0
				? [`${at} -a ${quote(spot.arguments.join(" "))}`]
				: []),
		];
	});
	return `# Completion of partnerwire for fish: ~/.config/fish/completions/partnerwire.fish
function __partnerwire_at
  set -l path ""
  for word in (commandline -opc)[2..-1]
    switch $path
${below.join("\n")}
    case '*'
      break
    end
  end
  test "$path" = "$argv[1]"
end
complete -c partnerwire -f
${lines.join("\n")}`;
}
