/** Commands that change no file. Others may fail to change one, and hide it: a script, a build, a test. */
const readers = new RegExp(
  [
    '(?:\\[\\[?|:|basename|cat|cd|cksum|cmp|column|comm|cut|df|diff|dirname|du|echo|egrep|exit|false|fgrep|file|grep)(?:\\s|$)',
    '(?:head|id|join|jq|ls|md5sum|nl|od|paste|printenv|printf|ps|pwd|readlink|realpath|rev|rg|seq|sha1sum|sha256sum)(?:\\s|$)',
    '(?:sleep|stat|strings|tac|tail|test|tr|true|type|uname|wc|which|whoami)(?:\\s|$)',
    'sed -n(?:\\s|$)',
    'find(?!\\S)(?!.*\\s-(?:delete|exec|fprint|fls|ok))',
    'sort(?!\\S)(?!.*\\s-(?:\\w*o|-output))',
    'git (?:(?:-[cC] \\S+|--no-pager) )*(?:blame|cat-file|describe|diff|grep|log|ls-files|rev-list|rev-parse|shortlog|show|status)(?:\\s|$)',
    '(?:git branch(?: --?(?:list|show-current|all|a|v)\\b.*)?|\\S+ (?:--version|--help|-v|-V))$',
  ]
    .map((one) => `^(?:(?:\\w+=\\S*|if|then|elif|else|while|do|!) )*${one}`)
    .join('|'),
);

/** Quoted words without a command in them, and output that is discarded or joined. */
const harmless = /"[^"`$]*"|'[^']*'|(?:\d|&)?>>?\s*\/dev\/null|\d?>&\d/g;
const MAX_CHARS = 10_000;

/** Whether every command of an argv, or of the shell string that bash gets, is known to change no file. */
export function isKnownReader(argv: readonly string[]): boolean {
  const [program, option, text = ''] = argv;
  if (program !== 'bash' || option !== '-c') return readers.test(argv.join(' '));
  const plain = text.replace(harmless, '""');
  if (text.length > MAX_CHARS || plain.includes('>')) return false;
  const commands = plain.split(/[|&;\n(){}`]+/).map((one) => one.trim());
  return commands.every(
    (one) =>
      one === '' || /^(?:""|fi|done|then|else|do|for \w+ in .*)$/.test(one) || readers.test(one),
  );
}
