import { type GivenCall, givenCall, parseLeniently } from './given-call.ts';

/** Delimiters of one argument that is written as tags: its name is between `open` and `nameEnd`. */
interface ArgumentTags {
  readonly open: string;
  readonly nameEnd: string;
  readonly close: string;
}

const argumentTags: readonly ArgumentTags[] = [
  { open: '<parameter=', nameEnd: '>', close: '</parameter>' },
  { open: '<parameter name="', nameEnd: '">', close: '</parameter>' },
  { open: '<arg_key>', nameEnd: '</arg_key>', close: '</arg_value>' },
];

const MAX_ARGUMENTS = 50;

/** The JSON type of an argument of a tool; undefined if it is not known. */
export type TypeOf = (tool: string, argument: string) => string | undefined;

/** A call whose arguments are JSON or tags: `{"path": "a"}`, `<parameter=path>a</parameter>`. Undefined if they are neither. */
export function callWith(name: string, body: string, typeOf: TypeOf): GivenCall | undefined {
  const text = body.trim();
  if (text === '' || text.startsWith('{')) return givenCall(name, text);
  const tags = argumentTags.find(({ open }) => text.startsWith(open));
  const args = tags && taggedArguments(text, tags, (argument) => typeOf(name.trim(), argument));
  return args && givenCall(name, args);
}

function taggedArguments(
  text: string,
  { open, nameEnd, close }: ArgumentTags,
  typeOf: (argument: string) => string | undefined,
): Record<string, unknown> | undefined {
  const args: [string, unknown][] = [];
  let at = 0;
  while (text.startsWith(open, at)) {
    const nameTo = text.indexOf(nameEnd, at);
    const to = text.indexOf(close, at);
    if (nameTo === -1 || to < nameTo || args.length === MAX_ARGUMENTS) return undefined;
    const name = text.slice(at + open.length, nameTo).trim();
    const value = text.slice(nameTo + nameEnd.length, to).replace(/^\s*<arg_value>/, '');
    args.push([name, typed(value.replace(/^\n|\n$/g, ''), typeOf(name))]);
    at = skipBlanks(text, to + close.length);
  }
  return at === text.length ? Object.fromEntries(args) : undefined;
}

/** Text is used unchanged; other types are parsed as JSON. */
const typed = (text: string, type: string | undefined): unknown =>
  type === undefined || type === 'string' ? text : (parseLeniently(text.trim()) ?? text);

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? '')) at += 1;
  return at;
}
