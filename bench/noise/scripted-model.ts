import type { ChatMessage } from '../../src/contract/wire/chat.ts';
import type { Script, ScriptedReply, ScriptedRequest } from '../../test/model-server/script.ts';
import type { ScriptedCall, ScriptedStep, TaskScript } from './scripts.ts';

/** How often a failed call is retried before the model gives up. */
const MAX_TRIES = 3;

/**
 * A model that performs one task by its script: it plans the steps, makes the calls that have not succeeded, and ends.
 */
export const scriptedModel =
  (task: string, script: TaskScript): Script =>
  (request) =>
    request.responseName === undefined
      ? nextMove(request, stepOf(request, script))
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
      return { discovery: [], execution: planFor(asked, task, script) };
    case 'judge':
      return { choice: judged(asked, script), why: 'It has the tools.' };
    case 'profile':
      return {
        id: 'data-worker',
        name: 'Data worker',
        description: 'Computes figures from data files and writes them to a file.',
        grants: {
          python_exec: { operations: ['read', 'save'], paths: ['**'] },
          sql_query: { operations: ['read', 'save'], paths: ['**'] },
          file_io: { operations: ['read', 'write'], paths: ['**'] },
        },
      };
    default:
      return { answer: `${script.at(-1)?.writes} is written.` };
  }
}

/** The steps whose results are not among the findings. */
function planFor(asked: Document, task: string, script: TaskScript) {
  const found = JSON.stringify(asked['found'] ?? []);
  const isDone = ({ id, description }: ScriptedStep) =>
    description !== undefined && found.includes(`"${id}"`) && !found.includes('"error"');
  return script
    .filter((step) => !isDone(step))
    .map((step) => ({
      id: step.id,
      description: step.description ?? task,
      depends_on: step.after === undefined ? [] : [step.after],
      ...(step.writes === undefined ? {} : { writes: [step.writes], needs: ['write'] }),
    }));
}

function judged(asked: Document, script: TaskScript): string | null {
  const shown = JSON.stringify(asked);
  const step = script.find(({ description }) => description && shown.includes(description));
  const [first] = script;
  const wanted = step ?? first;
  const candidates = asked['candidates'] as readonly Listed[] | undefined;
  const able = wanted && ableAmong(candidates, wanted);
  return able ?? candidates?.[0]?.id ?? null;
}

/** The first listed capsule whose tools have all operations that the step calls; null if the list shows no tools. */
function ableAmong(listed: unknown, { calls }: ScriptedStep): string | null {
  const able = (Array.isArray(listed) ? (listed as Listed[]) : []).find(({ tools }) => {
    const shown = (Array.isArray(tools) ? tools : []).map(String);
    return calls.every(({ name, args }) => {
      const tool = shown.find((text) => text.startsWith(name));
      return (
        tool !== undefined &&
        (args['operation'] === undefined || tool.includes(`${args['operation']}`))
      );
    });
  });
  return able?.id ?? null;
}

/** The step that an attempt performs, found by its words. */
export function stepOf({ messages }: ScriptedRequest, script: TaskScript): ScriptedStep {
  const task = messages.find(({ role }) => role === 'user')?.content ?? '';
  const own = task.split('<data', 1)[0] ?? '';
  const step =
    script.find(({ description }) => description !== undefined && own.includes(description)) ??
    script.at(-1);
  if (step === undefined) throw new Error('the script has no step');
  return step;
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
export function nextMove(request: ScriptedRequest, step: ScriptedStep): ScriptedReply {
  const offered = new Set(request.tools.map(({ name }) => name));
  const done = outcomesOf(request.messages);
  for (const call of step.calls) {
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
  return final(ended(step));
}

/** The arguments of `final` when all calls have succeeded. */
export const ended = ({ writes }: ScriptedStep) => ({
  status: 'ok',
  result: writes === undefined ? 'The figures are computed.' : `${writes} is written.`,
  artifacts: writes === undefined ? [] : [writes],
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
