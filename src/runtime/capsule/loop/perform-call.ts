import type { ToolCallRequest, ToolDescription } from '../../../contract/wire/chat.ts';
import { askTool, showProgress } from '../ask.ts';
import { READ_SKILL, readSkill } from '../read-skill.ts';
import { asData } from '../task-message.ts';
import { type Loop, requestsLeft } from './loop.ts';

/** Requests reserved for the next answer and the check of `final`. */
const RESERVED_REQUESTS = 2;
/** The number of identical calls at which the model gets a notice. */
const REPEATED = 3;
const SHOWN_CHARS = 300;

/** The result of a call for the model. */
export interface CallOutcome {
  readonly ok: boolean;
  readonly content: string;
}

/** Requests one tool call. An error becomes content for the model. */
export async function performCall(
  loop: Loop,
  call: ToolCallRequest,
  why: string,
): Promise<CallOutcome> {
  const { request, port, metrics, tools } = loop;
  const { name, args, invalid_args } = call;
  const tool = tools.find((one) => one.name === name);
  if (name === READ_SKILL && tool !== undefined) return answerReadSkill(loop, call, tool);
  if ((requestsLeft(loop) ?? Infinity) <= RESERVED_REQUESTS) {
    return refused('Not performed: this attempt has no requests left for tools. Call "final" now.');
  }
  metrics.tool_calls += 1;
  showProgress(port, `requests ${name}`);
  const reason = why.trim() || request.task;
  const reply = await askTool(port, { tool: name, args, invalid_args, reason });
  const content = reply.ok ? reply.result : { error: reply.error };
  const from = reply.origin === undefined ? '' : `, from ${reply.origin}`;
  const data = asData(`${reply.ok ? 'result' : 'failure'} of tool ${name}${from}`, content);
  const notes = [repetition(loop, call)];
  if (invalid_args !== undefined) notes.push(notAnObject(invalid_args));
  if (tool === undefined && !reply.ok)
    notes.push(
      `You have no tool "${name.slice(0, 100)}". Your tools: ${tools.map((one) => one.name).join(', ')}.`,
    );
  else if (reply.error?.code === 'TOOL_ARGS_INVALID') notes.push(expectedArguments(tool));
  return { ok: reply.ok, content: [data, ...notes.filter(Boolean)].join('\n\n') };
}

/** Built in: the coordinator has no such tool. */
const answerReadSkill = (
  { request }: Loop,
  { args, invalid_args }: ToolCallRequest,
  tool: ToolDescription,
): CallOutcome =>
  invalid_args === undefined
    ? { ok: true, content: readSkill(request.config, args) }
    : refused(`${notAnObject(invalid_args)}\n\n${expectedArguments(tool)}`);

const refused = (content: string): CallOutcome => ({ ok: false, content });

const notAnObject = (invalidArgs: string): string =>
  asData('the arguments, no JSON object', invalidArgs.slice(0, SHOWN_CHARS));

function repetition(
  { repeated }: Loop,
  { name, args, invalid_args }: ToolCallRequest,
): string | undefined {
  const key = `${name} ${invalid_args ?? JSON.stringify(args)}`;
  const count = (repeated.get(key) ?? 0) + 1;
  repeated.set(key, count);
  if (count < REPEATED) return undefined;
  return `You made this same call ${count} times. Do something else, or call "final": further repetition ends the attempt.`;
}

const MAX_CHARS = 2_000;

interface Schema {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** One line that says which arguments a tool takes: `Arguments of read: path (string, required), …`. Empty for an unknown tool. */
function expectedArguments(tool: ToolDescription | undefined): string {
  if (tool === undefined) return '';
  const { properties, required = [] } = tool.parameters as Schema;
  if (properties === undefined) {
    return `Arguments of ${tool.name}, as JSON Schema: ${JSON.stringify(tool.parameters)}`.slice(
      0,
      MAX_CHARS,
    );
  }
  const parts = Object.entries(properties).map(([name, schema]) => {
    const need = required.includes(name) ? ', required' : '';
    return `${name} (${typeOf(schema)}${need})`;
  });
  return `Arguments of ${tool.name}, one JSON object: ${parts.join(', ')}.`.slice(0, MAX_CHARS);
}

function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  return typeof schema.type === 'string' ? schema.type : 'see the schema';
}
