import type { Spot, Word } from "./list-spots.ts";

/** Quotes text for zsh. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const describe = ({ word, description }: Word) =>
	quote(`${word.replaceAll(":", "\\:")}:${description.replaceAll(":", "\\:")}`);

/** A completion script for zsh, with descriptions. */
export function toZsh(spots: readonly Spot[]): string {
	const below = spots.flatMap(({ words, commands }) =>
		commands.map(({ word }) => quote(`${words} ${word}`)),
	);
	const values = spots.flatMap(({ words, values }) =>
		Object.entries(values).map(
			([flag, known]) =>
				`    ${quote(`${words}/${flag}`)}) ${known === "file" ? "_files" : `compadd -- ${known.join(" ")}`}; return ;;`,
		),
	);
	const words = spots.map((spot) => {
		const items = [...spot.commands, ...spot.flags].map(describe).join(" ");
		const known =
			spot.arguments.length > 0
				? `; compadd -- ${spot.arguments.join(" ")}`
				: "";
		return `    ${quote(spot.words)}) items=(${items}); _describe partnerwire items${known} ;;`;
	});
	return `#compdef partnerwire
# Completion of partnerwire for zsh: in a folder of $fpath, as _partnerwire
_partnerwire() {
  local seen="" word i
  local -a items
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    case "$seen $word" in
      ${below.join("|")}) seen="\${seen:+$seen }$word" ;;
      *) break ;;
    esac
  done
  case "$seen/\${words[CURRENT-1]}" in
${values.join("\n")}
  esac
  case "$seen" in
${words.join("\n")}
  esac
}
if [ "$funcstack[1]" = "_partnerwire" ]; then _partnerwire "$@"; else compdef _partnerwire partnerwire; fi`;
}
