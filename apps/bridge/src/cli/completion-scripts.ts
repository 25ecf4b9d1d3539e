/** The scripts that a shell sources. All they do is ask `skein completion words` what may follow. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export const scriptFor = (shell: Shell): string => {
  switch (shell) {
    case 'bash':
      return BASH;
    case 'zsh':
      return ZSH;
    case 'fish':
      return FISH;
  }
};

const BASH = `# skein completion for bash
_skein() {
  local IFS=$'\\n'
  COMPREPLY=($(skein completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _skein skein
`;

const ZSH = `#compdef skein
# skein completion for zsh
_skein() {
  local -a found
  local value about
  while IFS=$'\\t' read -r value about; do
    [[ -n $value ]] && found+=("\${value//:/\\\\:}:$about")
  done < <(skein completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#found )); then _describe 'skein' found; else _files; fi
}
if [[ $funcstack[1] == _skein ]]; then _skein "$@"; else compdef _skein skein; fi
`;

const FISH = `# skein completion for fish
function __skein_words
  set -l before (commandline -opc)
  skein completion words -- $before[2..-1] (commandline -ct) 2>/dev/null
end
complete -c skein -a '(__skein_words)'
`;
