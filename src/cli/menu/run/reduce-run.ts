import type { RunDocument } from '../../../app/runs/show/run-document.ts';
import type { CapstanEvent, EventOf, TextDelta } from '../../../contract/event.ts';
import { shorten } from '../../text/shorten.ts';
import { KEPT_CHARS, type RunModel, type ShownStep, THINK, verbOf, WORK } from './run-model.ts';

type Reduce<Type extends CapstanEvent['type']> = (
  model: RunModel,
  event: EventOf<Type>,
) => RunModel;

/** Applies an event to the run. */
export function reduceRun(model: RunModel, event: CapstanEvent): RunModel {
  const atMs = Date.parse(event.at);
  const waitedMs = model.waitedMs + (isWaiting(model) ? atMs - model.lastMs : 0);
  const timed = { ...model, startedMs: model.startedMs || atMs, lastMs: atMs, waitedMs };
  const reduce = reducers[event.type] as
    | ((model: RunModel, event: CapstanEvent) => RunModel)
    | undefined;
  return reduce ? reduce(timed, event) : timed;
}

/** Whether it only waits for a person. A parked run has ended. */
const isWaiting = ({ asked, steps, isEnded }: RunModel): boolean =>
  asked > 0 && !isEnded && !steps.some(({ state }) => state === 'working');

const reducers: { [Type in CapstanEvent['type']]?: Reduce<Type> } = {
  'plan.made': addPlan,
  'run.resumed': (model) => ({
    ...model,
    startedMs: model.lastMs - model.waitedMs,
    asked: 0,
    isEnded: false,
  }),
  'run.ended': (model) => ({ ...model, isEnded: true, texts: new Map(), delay: undefined }),
  'subtask.routed': (model, event) => change(model, event, { capsule: event.capsule_id }),
  'subtask.started': (model, event) =>
    change(model, event, ({ startedMs }) => ({
      state: 'working',
      capsule: event.capsule_id,
      startedMs: startedMs ?? Date.parse(event.at),
    })),
  'approval.asked': (model, event) =>
    change({ ...model, asked: model.asked + 1 }, event, {
      state: 'asking',
      callMs: model.lastMs,
    }),
  'approval.decided': (model, event) =>
    change({ ...model, asked: Math.max(0, model.asked - 1) }, event, resumedAt(model)),
  'tool.requested': (model, event) =>
    change(model, event, { verb: verbOf(event.tool), callMs: model.lastMs }),
  'model.requested': (model, event) => change(model, event, { verb: THINK, callMs: undefined }),
  'tool.answered': (model, event) =>
    withoutText(change(model, event, resumedAt(model)), event.intent_id),
  'capsule.progressed': (model, event) => change(model, event, { verb: progressOf(event) }),
  'model.delayed': (model, { at, intent_id: intentId, problem, wait_ms }) => ({
    ...model,
    trouble: problem,
    delay: { intentId, problem, untilMs: Date.parse(at) + wait_ms },
  }),
  'model.answered': (model, event) =>
    withoutText(
      change(
        { ...withoutDelay(model, event), costUsd: model.costUsd + event.cost_usd },
        event,
        (step) => ({
          tokens: step.tokens + event.input_tokens + event.output_tokens,
          costUsd: step.costUsd + event.cost_usd,
        }),
      ),
      event.intent_id,
    ),
  'subtask.ended': (model, event) => change(model, event, { state: 'ended', status: event.status }),
};

const withoutDelay = (model: RunModel, { intent_id, ok }: EventOf<'model.answered'>): RunModel => ({
  ...model,
  trouble: ok ? '' : model.trouble,
  delay: model.delay?.intentId === intent_id ? undefined : model.delay,
});

/** What a capsule reports is short: it stands where its activity does. */
const MAX_PROGRESS = 30;

/** `reading page 3  40 %` */
function progressOf({ text, fraction }: EventOf<'capsule.progressed'>): string {
  const share = fraction === null ? '' : `  ${Math.round(fraction * 100)} %`;
  return `${shorten(text.trim(), MAX_PROGRESS)}${share}`;
}

/** A step whose question was answered works again, and its call begins. */
const resumedAt =
  ({ lastMs }: RunModel) =>
  ({ state, startedMs = lastMs, callMs = lastMs }: ShownStep): Partial<ShownStep> =>
    state === 'asking'
      ? { state: 'working', startedMs: startedMs + lastMs - callMs, callMs: lastMs }
      : {};

type Changes = Partial<ShownStep> | ((step: ShownStep) => Partial<ShownStep>);

function change(model: RunModel, { subtask_id: id }: { subtask_id: string }, changes: Changes) {
  const steps = model.steps.map((step) =>
    step.id === id
      ? { ...step, ...(typeof changes === 'function' ? changes(step) : changes) }
      : step,
  );
  return { ...model, steps };
}

/** Steps of a later plan replace those that have not started. */
function addPlan(model: RunModel, { subtasks }: EventOf<'plan.made'>): RunModel {
  const planned = new Set(subtasks.map(({ id }) => id));
  const kept = model.steps.filter(({ id, state }) => state !== 'waiting' && !planned.has(id));
  const known = new Map(model.steps.map((step) => [step.id, step]));
  const numbers = new Map(kept.map(({ id, number }) => [id, number]));
  const highest = Math.max(0, ...numbers.values());
  for (const [index, { id }] of subtasks.entries()) numbers.set(id, highest + index + 1);
  const steps = subtasks.map(
    ({ id, description, depends_on }): ShownStep => ({
      ...(known.get(id) ?? newStep),
      id,
      number: numbers.get(id) ?? 0,
      description,
      after: depends_on.flatMap((need) => numbers.get(need) ?? []),
    }),
  );
  return { ...model, steps: [...kept, ...steps] };
}

const newStep = {
  state: 'waiting',
  status: 'pending',
  capsule: undefined,
  verb: WORK,
  startedMs: undefined,
  callMs: undefined,
  tokens: 0,
  costUsd: 0,
} as const;

/** Appends a piece of streamed text to the run. */
export function reduceDelta(model: RunModel, delta: TextDelta): RunModel {
  const { intent_id: id, subtask_id: stepId, from, text } = delta;
  const before = model.texts.get(id);
  const start = from > 0 && before?.chars === from ? before.end : '';
  const end = `${start}${text}`.slice(-KEPT_CHARS);
  const texts = new Map(model.texts).set(id, { stepId, chars: from + text.length, end });
  return { ...model, texts };
}

function withoutText(model: RunModel, intentId: string): RunModel {
  if (!model.texts.has(intentId)) return model;
  const texts = new Map(model.texts);
  texts.delete(intentId);
  return { ...model, texts };
}

/** Shows the text of the next step that streams. Returns undefined if there is no other. */
export function focusNext(model: RunModel): RunModel | undefined {
  const writing = [...new Set([...model.texts.values()].map(({ stepId }) => stepId))];
  if (writing.length < 2) return undefined;
  const index = writing.indexOf(focused(model)?.stepId ?? '');
  return { ...model, focus: writing[(index + 1) % writing.length] };
}

/** The streamed text that is shown. */
export function focused({ texts, focus }: RunModel) {
  const all = [...texts.values()];
  return all.findLast(({ stepId }) => stepId === focus) ?? all.at(-1);
}

type Row = RunDocument['subtasks'][number];

/** Adds the stored steps that its events do not contain, because they are from before it was resumed. */
export function seedRun(
  model: RunModel,
  { subtasks, cost_usd }: Pick<RunDocument, 'subtasks' | 'cost_usd'>,
): RunModel {
  const known = new Map(model.steps.map((step) => [step.id, step]));
  const numbers = new Map(subtasks.map(({ id }, index) => [id, index + 1]));
  const steps = subtasks.map(
    (row, index): ShownStep => ({
      ...(known.get(row.id) ?? stepOf(row, model.lastMs)),
      number: index + 1,
      after: row.depends_on.flatMap((need) => numbers.get(need) ?? []),
    }),
  );
  const others = model.steps.filter(({ id }) => !numbers.has(id));
  return { ...model, steps: [...steps, ...others], costUsd: Math.max(model.costUsd, cost_usd) };
}

const stepOf = (
  { id, description, status, capsule_id }: Row,
  nowMs: number,
): Omit<ShownStep, 'number' | 'after'> => ({
  id,
  description,
  state: states[status] ?? 'ended',
  status,
  capsule: capsule_id ?? undefined,
  verb: THINK,
  startedMs: status === 'running' ? nowMs : undefined,
  callMs: undefined,
  tokens: 0,
  costUsd: 0,
});

const states: Readonly<Record<string, ShownStep['state']>> = {
  pending: 'waiting',
  running: 'working',
  waiting_approval: 'asking',
};
