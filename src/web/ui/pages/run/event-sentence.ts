import { duration, money, plural } from '../../lib/format.ts';

type Event = { readonly type: string; readonly at: string } & Record<string, unknown>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const sentences: Readonly<Record<string, (event: Event) => string>> = {
  'run.started': () => 'run started',
  'run.resumed': () => 'run resumed',
  'run.parked': ({ reason }) => `parked: ${text(reason)}`,
  'run.ended': ({ status, reason }) => `${text(status)}${reason ? `: ${text(reason)}` : ''}`,
  'run.noticed': (event) => `! ${text(event['text'])}`,
  'plan.made': ({ subtasks }) =>
    `plan of ${plural((subtasks as readonly unknown[]).length, 'step')}`,
  'subtask.routed': (event) => `goes to ${text(event['capsule_id'])}`,
  'subtask.started': (event) => `started, attempt ${String(event['attempt'])}`,
  'subtask.ended': ({ status, duration_ms: ms, message }) =>
    `${text(status)} · ${duration(Number(ms))}${message ? `: ${text(message)}` : ''}`,
  'provider.opened': ({ provider }) => `model provider: ${text(provider)}`,
  'capsule.started': () => 'capsule started',
  'capsule.ended': () => 'capsule ended',
  'capsule.progressed': (event) => text(event['text']),
  'memory.written': (event) => `remembers: ${text(event['text'])}`,
  'tool.requested': ({ tool, target }) => `${text(tool)} ${text(target)}`,
  'tool.answered': ({ tool, ok, message }) =>
    `${text(tool)} ${ok ? 'done' : `failed: ${text(message)}`}`,
  'model.requested': ({ model }) => `asks ${text(model)}`,
  'model.answered': ({ model, ok, cost_usd: cost, message }) =>
    ok
      ? `${text(model)} answered · ${money(Number(cost))}`
      : `${text(model)} failed: ${text(message)}`,
  'approval.asked': ({ question }) => `? ${text(question)}`,
  'approval.decided': ({ answer, by }) => `${text(answer)}, by ${text(by)}`,
  'intent.denied': ({ what, sentence }) => `denied: ${text(what)}. ${text(sentence)}`,
  'message.received': (event) => `> ${text(event['text'])}`,
};

/** One event as a sentence; of a type without one, its data. */
export function eventSentence(event: Event): string {
  const sentence = sentences[event.type];
  if (sentence) return sentence(event);
  const { type, at: _at, run_id: _run, seq: _seq, ...rest } = event;
  return `${type} ${JSON.stringify(rest)}`;
}
