import { printable } from '../../../contract/text/printable.ts';
import { usage } from '../../../contract/usage.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';

export const command: CommandDefinition = {
  name: 'completion',
  summary: 'Print the completion script for bash or zsh',
  arguments: '<shell>',
  options: {},
  examples: ['capstan completion bash >> ~/.bashrc', 'capstan completion zsh >> ~/.zshrc'],
  run: async ({ positionals: [shell = ''] }, io) => {
    const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
    if (script === undefined)
      throw usage(`There is no completion for "${printable(shell, 40)}". Write bash or zsh.`);
    io.stdout(script);
    return exitCodes.completed;
  },
};

/** The script that `capstan completion <shell>` prints. The program supplies the words, so the script never changes. */
const scripts: Readonly<Record<string, string>> = {
  bash: `# capstan completion for bash: eval "$(capstan completion bash)"
_capstan() {
  local value about
  local -a values=() abouts=()
  while IFS=$'\\t' read -r value about; do
    values+=("$value")
    abouts+=("$about")
  done < <("$1" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  COMPREPLY=("\${values[@]}")
  # Several: shown with what they are. While keys step through them they stay plain, because each is then inserted.
  if [[ \${#values[@]} -gt 1 && "$COMP_TYPE" != 37 && "$COMP_TYPE" != 42 ]]; then
    local at
    for at in "\${!values[@]}"; do
      [[ -n "\${abouts[at]}" ]] && COMPREPLY[at]="\${values[at]}  (\${abouts[at]})"
    done
  fi
}
complete -o bashdefault -o default -F _capstan capstan
`,
  zsh: `#compdef capstan
# capstan completion for zsh: eval "$(capstan completion zsh)"
_capstan() {
  local line
  local -a candidates
  for line in "\${(@f)$("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n "$line" ]] && candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#candidates} )); then
    _describe capstan candidates
  else
    _files
  fi
}
if [[ "$funcstack[1]" = _capstan ]]; then
  _capstan "$@"
else
  compdef _capstan capstan
fi
`,
};
