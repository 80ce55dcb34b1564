/** A line that is being typed in raw mode. */
export interface TypedLine {
  readonly text: string;
  /** Whether a part of it was pasted. */
  readonly isPasted: boolean;
  /** Inside a bracketed paste: control characters are dropped. */
  readonly isPasting: boolean;
  /** What came of an escape sequence that is not complete. */
  readonly pending: string;
  readonly end: 'enter' | 'leave' | null;
}

export const emptyLine: TypedLine = {
  text: '',
  isPasted: false,
  isPasting: false,
  pending: '',
  end: null,
};

/** Longer lines are cut. */
const MAX_CHARS = 4_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the sequences that a terminal sends.
const SEQUENCE = /^\u001b(?:\[[0-9;?]*[ -/]*[@-~]|O.|[^[O])/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, cut off.
const CUT_SEQUENCE = /^\u001b(?:\[[0-9;?]*[ -/]*|O)?$/u;

/** The line after further input of a terminal. After its end, only Ctrl-C counts. */
export function typeInto(line: TypedLine, input: string): TypedLine {
  let now: TypedLine = { ...line, pending: '' };
  let rest = line.pending + input;
  while (rest !== '' && now.end === null) {
    if (CUT_SEQUENCE.test(rest)) return { ...now, pending: rest };
    const [token = ''] = SEQUENCE.exec(rest) ?? [...rest].slice(0, 1);
    now = typeToken(now, token);
    rest = rest.slice(token.length);
  }
  return rest.includes('\u0003') ? { ...now, end: 'leave' } : now;
}

function typeToken(line: TypedLine, token: string): TypedLine {
  if (token === '\u001b[200~') return { ...line, isPasting: true, isPasted: true };
  if (token === '\u001b[201~') return { ...line, isPasting: false };
  if (token.startsWith('\u001b')) return line;
  if (line.isPasting) return isControl(token) ? line : withText(line, line.text + token);
  const control = controls.get(token);
  if (control) return control(line);
  return isControl(token) ? line : withText(line, line.text + token);
}

const leave = (line: TypedLine): TypedLine => ({ ...line, end: 'leave' });
const enter = (line: TypedLine): TypedLine => ({ ...line, end: 'enter' });
const erase = (line: TypedLine): TypedLine => withText(line, [...line.text].slice(0, -1).join(''));

const controls: ReadonlyMap<string, (line: TypedLine) => TypedLine> = new Map([
  ['\r', enter],
  ['\n', enter],
  ['\u0003', leave],
  ['\u0004', (line) => (line.text === '' ? leave(line) : line)],
  ['\u007f', erase],
  ['\b', erase],
  ['\u0015', (line) => withText(line, '')],
]);

const withText = (line: TypedLine, text: string): TypedLine => ({
  ...line,
  text: text.slice(0, MAX_CHARS),
  isPasted: line.isPasted && text !== '',
});

const isControl = (token: string): boolean => /^[\p{Cc}\p{Cf}]$/u.test(token);
