import type { Spot, Word } from "./list-spots.ts";

const join = (words: readonly Word[]) =>
	words.map(({ word }) => word).join(" ");

const quote = (text: string) => `"${text}"`;

/** A completion script for bash; plain bash 3.2 and later, without bash-completion. */
export function toBash(spots: readonly Spot[]): string {
	const below = spots.flatMap(({ words, commands }) =>
		commands.map(({ word }) => quote(`${words} ${word}`)),
	);
	const values = spots.flatMap(({ words, values }) =>
		Object.entries(values).map(
			([flag, known]) =>
				`    ${quote(`${words}/${flag}`)}) ${known === "file" ? 'COMPREPLY=($(compgen -f -- "$cur"))' : reply(known.join(" "))}; return ;;`,
		),
	);
	const words = spots.map(
		(spot) =>
			`    ${quote(spot.words)}) ${reply([join(spot.commands), join(spot.flags), spot.arguments.join(" ")].filter(Boolean).join(" "))} ;;`,
	);
	return `# Completion of partnerwire for bash: eval "$(partnerwire completion bash)"
_partnerwire() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" path="" word i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$path $word" in
      ${below.join("|")}) path="\${path:+$path }$word" ;;
      *) break ;;
    esac
  done
  case "$path/$before" in
${values.join("\n")}
  esac
  case "$path" in
${words.join("\n")}
  esac
}
complete -F _partnerwire partnerwire`;
}

const reply = (words: string) =>
	`COMPREPLY=($(compgen -W "${words}" -- "$cur"))`;
