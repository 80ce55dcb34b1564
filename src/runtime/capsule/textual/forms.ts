import { callsInJson, type GivenCall } from './given-call.ts';
import { callWith, type TypeOf } from './tagged-arguments.ts';

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
