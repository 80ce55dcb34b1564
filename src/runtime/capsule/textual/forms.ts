import { callsInJson, type GivenCall, givenCall, parseLeniently } from './given-call.ts';

/** A form in which models write tool calls between two markers. */
export interface Form {
  readonly open: string;
  /** Empty: the call lasts until the next `open` or the end. A missing one at the end of the text is accepted. */
  readonly close: string;
  /** Parses the text between the markers; undefined if it is not a call. */
  readonly read: (body: string, typeOf: TypeOf) => readonly GivenCall[] | undefined;
}

const json: Form['read'] = (body) => callsInJson(body);

/** `name>{…}`, `name>` and arguments as tags. */
const named: Form['read'] = (body, typeOf) => one(splitAt(body, '>'), typeOf);

/** `name="x">` and arguments as tags. */
const invoked: Form['read'] = (body, typeOf) => {
  const [head, rest] = splitAt(body, '>');
  const name = /^\s*name="([\w.-]{1,128})"\s*$/.exec(head)?.[1];
  return name === undefined ? undefined : one([name, rest], typeOf);
};

/** JSON; `name{…}`, `name[ARGS]{…}`. */
const mistral: Form['read'] = (body, typeOf) => {
  const calls = callsInJson(body);
  if (calls) return calls;
  const [name, rest] = splitAt(body, '{');
  return one([name.replace(/\[(?:ARGS|CALL_ID)\].*$/s, ''), `{${rest}`], typeOf);
};

/** JSON; a `<function=…>` in it; a name and arguments as tags. */
const any: Form['read'] = (body, typeOf) => {
  const calls = callsInJson(body);
  if (calls) return calls;
  const text = body.trim();
  if (text.startsWith('<function=')) {
    return named(text.slice('<function='.length).replace(/<\/function>$/, ''), typeOf);
  }
  const [name, rest] = splitAt(text, '<arg_key>');
  return rest === '' ? undefined : one([name, `<arg_key>${rest}`], typeOf);
};

/** The forms, more specific ones first. */
export const forms: readonly Form[] = [
  { open: '<tool_call>', close: '</tool_call>', read: any },
  { open: '<tool_calls>', close: '</tool_calls>', read: json },
  { open: '<function_call>', close: '</function_call>', read: json },
  { open: '<function=', close: '</function>', read: named },
  { open: '<invoke', close: '</invoke>', read: invoked },
  { open: '<|tool_call|>', close: '<|/tool_call|>', read: any },
  { open: '<|tool_call_start|>', close: '<|tool_call_end|>', read: json },
  { open: '<|python_tag|>', close: '', read: json },
  { open: '[TOOL_CALLS]', close: '', read: mistral },
  { open: '[TOOL_REQUEST]', close: '[END_TOOL_REQUEST]', read: json },
  { open: 'functools', close: '', read: json },
];

/** Text that may follow the last call: the ends of turns and of lists of calls. */
export const trailers: readonly string[] = [
  '</tool_calls>',
  '</function_calls>',
  '<|end_of_tool_call|>',
  '<|im_end|>',
  '<|eot_id|>',
  '<|eom_id|>',
  '<|endoftext|>',
  '<|end|>',
  '<|call|>',
  '</s>',
];

function one(
  [name, body]: readonly [string, string],
  typeOf: TypeOf,
): readonly GivenCall[] | undefined {
  const call = /^[\w.-]{1,128}$/.test(name.trim()) ? callWith(name, body, typeOf) : undefined;
  return call && [call];
}

function splitAt(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)];
}

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
