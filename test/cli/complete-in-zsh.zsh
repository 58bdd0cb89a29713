# zsh -f complete-in-zsh.zsh FOLDER LINE…: what an interactive zsh, which finds `_partnerwire` in the folder, offers at the end of each line.
# A line on a terminal is completed (zsh/zpty), and whatever would be shown is printed instead; an empty line ends the offers of each.
zmodload zsh/zpty || exit 1
setopt rcquotes

complete() {
  local line
  integer shows=0
  zpty shell zsh -f -i
  zpty -w shell "source $1"
  until [[ $line == ready* ]]; do zpty -r shell line || exit 1; done
  zpty -w shell "$2"$'\t'
  while zpty -r shell line; do
    line=${line%$'\r\n'}
    if [[ $line == *'<<<' ]]; then shows=1
    elif [[ $line == *'>>>' ]]; then break
    elif (( shows )); then print -r -- $line
    fi
  done
  print
  zpty -d shell
}

folder=$1
shift
offer() {
  local setup=$1 line
  shift
  for line; do complete $setup "$line"; done
}
offer =(print -r -- '
PROMPT=
fpath=('$folder' $fpath)
autoload -U compinit
compinit -u -d '$folder'/.zcompdump
bindkey "^I" complete-word
begin() { print "<<<" }
finish() { print ">>>"; exit }
compprefuncs=(begin)
comppostfuncs=(finish)
zstyle ":completion:*" insert-tab false
zstyle ":completion:*" list-grouped false
compadd() {
  # What only sorts matches into arrays offers nothing yet.
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
    builtin compadd "$@"
    return
  fi
  local -a offers
  builtin compadd -A offers "$@"
  (( $#offers )) && print -rl -- $offers
}
print ready
') "$@"
