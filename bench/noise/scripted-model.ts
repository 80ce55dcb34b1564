import type { ChatMessage } from '../../src/contract/chat.ts';
import type { Script, ScriptedReply, ScriptedRequest } from '../../test/model-server/script.ts';
import type { ScriptedCall, TaskScript } from './scripts.ts';

/** How often a call that failed is made again before the model gives up. */
const MAX_TRIES = 3;

/** A model that does one task by its script: it plans one step, makes the calls that have not succeeded, and ends. */
export const scriptedModel =
  (task: string, script: TaskScript): Script =>
  (request) =>
    request.responseName === undefined
      ? nextMove(request, script)
      : { json: documentFor(request, task, script) };

type Document = Readonly<Record<string, unknown>>;

interface Listed {
  readonly id: string;
  readonly tools?: unknown;
}

function documentFor(request: ScriptedRequest, task: string, script: TaskScript): Document {
  const asked = askedIn(request);
  switch (request.responseName) {
    case 'plan':
      return { discovery: [], execution: [stepFor(asked, task, script)] };
    case 'judge':
      return { choice: ableAmong(asked['candidates'], script), why: 'It has the tools.' };
    case 'profile':
      return {
        id: 'data-worker',
        name: 'Data worker',
        description: 'Computes figures from data files and writes them to a file.',
        grants: { python_exec: {}, sql_query: {}, file_io: {} },
      };
    default:
      return { answer: `${script.writes} is written.` };
  }
}

function stepFor(asked: Document, task: string, script: TaskScript) {
  const capsule = ableAmong(asked['capsules'], script);
  const named = capsule === null ? {} : { capsule };
  return {
    id: 's1',
    description: task,
    depends_on: [],
    writes: [script.writes],
    needs: ['write'],
    ...named,
  };
}

/** The first listed capsule whose tools name all that the script calls; null if the list shows no tools. */
function ableAmong(listed: unknown, { calls }: TaskScript): string | null {
  const able = (Array.isArray(listed) ? (listed as Listed[]) : []).find(({ tools }) => {
    const shown = JSON.stringify(tools ?? '');
    return calls.every(({ name }) => shown.includes(name));
  });
  return able?.id ?? null;
}

function askedIn({ messages }: ScriptedRequest): Document {
  const first = messages.find(({ role }) => role === 'user')?.content ?? '{}';
  try {
    return JSON.parse(first) as Document;
  } catch {
    return {};
  }
}

/** The next call of the script that has not succeeded yet; `final` after the last. */
export function nextMove(request: ScriptedRequest, script: TaskScript): ScriptedReply {
  const offered = new Set(request.tools.map(({ name }) => name));
  const done = outcomesOf(request.messages);
  for (const call of script.calls) {
    const outcomes = done.filter(({ of }) => isSame(of, call)).map(({ ok }) => ok);
    if (outcomes.includes(true)) continue;
    if (!offered.has(call.name)) {
      return final({
        status: 'error',
        result: `I have no tool "${call.name}".`,
        needs: [call.name],
      });
    }
    if (outcomes.length >= MAX_TRIES) {
      return final({ status: 'error', result: `${call.name} failed ${MAX_TRIES} times.` });
    }
    return { text: '', tool_calls: [call] };
  }
  return final(ended(script));
}

/** The arguments of `final` when all is done. */
export const ended = ({ writes }: TaskScript) => ({
  status: 'ok',
  result: `${writes} is written.`,
  artifacts: [writes],
});

const final = (args: Record<string, unknown>): ScriptedReply => ({
  text: '',
  tool_calls: [{ name: 'final', args }],
});

interface CallOutcome {
  readonly of: ScriptedCall;
  readonly ok: boolean;
}

/** Native and textual calls with their outcomes, from the conversation. */
function outcomesOf(messages: readonly ChatMessage[]): CallOutcome[] {
  const calls = new Map(
    messages.flatMap((message) =>
      message.role === 'assistant'
        ? (message.tool_calls ?? []).map((call) => [call.id, call] as const)
        : [],
    ),
  );
  return messages.flatMap((message) => {
    const of = message.role === 'tool' ? calls.get(message.tool_call_id) : undefined;
    return of ? [{ of, ok: message.content.startsWith('<data origin="result') }] : [];
  });
}

const isSame = (one: ScriptedCall, other: ScriptedCall): boolean =>
  one.name === other.name && JSON.stringify(one.args) === JSON.stringify(other.args);
