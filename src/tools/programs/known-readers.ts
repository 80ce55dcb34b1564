/** Commands that change no file. Others may fail to change one, and hide it: a script, a build, a test. */
const readers = new RegExp(
  [
    '(?:\\[|:|basename|cat|cd|cksum|cmp|column|comm|cut|date|df|diff|dirname|du|echo|egrep|exit|false|fgrep|file|grep)(?:\\s|$)',
    '(?:head|id|join|jq|ls|md5sum|nl|od|paste|printenv|printf|ps|pwd|readlink|realpath|rev|rg|seq|sha1sum|sha256sum)(?:\\s|$)',
    '(?:sleep|stat|strings|tac|tail|test|tr|tree|true|type|uname|uniq|wc|which|whoami|xxd)(?:\\s|$)',
    '(?:find|sed|sort)(?:\\s|$)(?!.*\\s-(?:delete|exec|fprint|fls|ok|\\w*i\\b|o|-in-place|-output))',
    'git (?:(?:-c \\S+|--no-pager) )*(?:blame|cat-file|describe|diff|grep|log|ls-files|rev-list|rev-parse|shortlog|show|status)(?:\\s|$)',
    '(?:git branch(?: --?(?:list|show-current|all|a|v)\\b.*)?|\\S+ (?:--version|--help|-v|-V))$',
  ]
    .map((one) => `^${one}`)
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
  return commands.every((one) => one === '' || one === '""' || readers.test(one));
}
