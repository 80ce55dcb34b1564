import type { CapstanEvent } from '../contract/event.ts';
import { escapeText } from '../contract/text/escape-text.ts';
import { formatCost, formatDuration } from './format.ts';
import { isTold, type LogLevel, levelOf } from './log-level.ts';
import { shorten } from './shorten.ts';
import type { Style } from './style.ts';

export interface RunViewOptions {
  /** The least weight of what is told. */
  readonly level: LogLevel;
  /** The terminal's prompt, if it asks questions: what it has shown is not shown twice. */
  readonly asking: { hasShown(approvalId: string): boolean } | undefined;
}

type EventOf<Type extends CapstanEvent['type']> = Extract<CapstanEvent, { type: Type }>;

/**
 * Tells a run on stderr as it goes: one line for what matters to the person who waits. With `debug` every other event
 * has one, too.
 */
export function createRunView(
  write: (text: string) => void,
  style: Style,
  { level, asking }: RunViewOptions,
): (event: CapstanEvent) => void {
  let width = 2;
  const line = (text: string) => write(`${text}\n`);
  const detail = (event: { subtask_id: string }, text: string) =>
    line(`  ${style.dim(event.subtask_id.padEnd(width))} ${text}`);

  const show: { [Type in CapstanEvent['type']]?: (event: EventOf<Type>) => void } = {
    'provider.opened': ({ provider, models }) => {
      if (models.length > 0) line(style.dim(`${provider} answers with ${models.join(', ')}`));
    },
    'run.noticed': ({ text }) => line(style.yellow(`! ${escapeText(text, true)}`)),
    'message.received': ({ text, by }) =>
      line(`${style.cyan('>')} ${escapeText(text, true)} ${style.dim(`(${escapeText(by)})`)}`),
    'plan.made': ({ phase, subtasks }) => {
      const count = `${subtasks.length} ${subtasks.length === 1 ? 'subtask' : 'subtasks'}`;
      line(style.bold(phase === 'discovery' ? `To find out first: ${count}` : `Plan: ${count}`));
      width = Math.max(width, ...subtasks.map(({ id }) => id.length));
      for (const { id, description, depends_on } of subtasks) {
        const after = depends_on.length > 0 ? style.dim(` (after ${depends_on.join(', ')})`) : '';
        line(`  ${style.cyan(id.padEnd(width))} ${firstLine(description)}${after}`);
      }
    },
    'plan.repaired': ({ problem }) =>
      line(style.yellow(`! The plan is made again: ${escapeText(problem)}`)),
    'subtask.routed': (event) =>
      detail(
        event,
        `${style.dim('→')} ${event.capsule_id} ${style.dim(`(score ${event.score.toFixed(2)})`)}`,
      ),
    'subtask.started': (event) => {
      if (event.attempt > 1)
        detail(event, style.dim(`attempt ${event.attempt}: ${event.capsule_id}`));
    },
    'capsule.progressed': (event) => detail(event, style.dim(escapeText(event.text))),
    'tool.requested': (event) =>
      detail(event, `${style.dim('·')} ${event.tool} ${style.dim(escapeText(event.target))}`),
    'tool.answered': (event) => {
      if (!event.ok)
        detail(event, style.yellow(`· ${event.tool}: ${firstLine(event.message ?? 'failed')}`));
    },
    'model.requested': (event) => {
      if (event.provider === OFFLINE) return;
      detail(event, `${style.dim('·')} ${event.model} ${style.dim(event.purpose)}`);
    },
    'model.answered': (event) => {
      if (!event.ok) {
        line(style.yellow(`! ${event.provider}: ${firstLine(event.message ?? 'failed')}`));
      } else if (event.cost_usd > 0) {
        detail(event, style.dim(`  ${formatCost(event.cost_usd)}`));
      }
    },
    'intent.denied': (event) =>
      detail(event, style.red(`✗ denied: ${escapeText(event.what)}. ${firstLine(event.sentence)}`)),
    'capsule.quarantined': ({ capsule_id: id, reason }) => {
      const back = `capstan capsules restore ${escapeText(id)}`;
      line(style.yellow(`! ${escapeText(id)} is quarantined: ${firstLine(reason)} (${back})`));
    },
    ...questionLines({ line, detail, style, asking }),
    ...moneyLines(line, style),
    'subtask.ended': (event) => {
      const time = style.dim(formatDuration(event.duration_ms));
      const mark = event.status === 'completed' ? style.green('✓') : style.red('✗');
      const why = event.message === null ? '' : ` ${escapeText(event.message, true)}`;
      detail(event, `${mark} ${event.status} ${time}${why}`);
    },
  };
  return (event) => {
    if (!isTold(levelOf(event), level)) return;
    const tell = show[event.type] as ((event: CapstanEvent) => void) | undefined;
    if (tell) tell(event);
    else if (isTold('debug', level)) line(style.dim(rawLine(event)));
  };
}

/** `capsule.started {"subtask_id":"s1","pid":4711,…}` */
function rawLine({ type, at: _at, run_id: _run, ...rest }: CapstanEvent): string {
  return `${type} ${shorten(JSON.stringify(rest), 200)}`;
}

interface Lines {
  readonly line: (text: string) => void;
  readonly detail: (event: { subtask_id: string }, text: string) => void;
  readonly style: Style;
  readonly asking: { hasShown(approvalId: string): boolean } | undefined;
}

/** Of what was asked and answered, here or elsewhere, and of runs that go on. */
function questionLines({ line, detail, style, asking }: Lines) {
  const asked = new Map<string, string>();
  return {
    'run.resumed': ({ run_id, task }: EventOf<'run.resumed'>) =>
      line(style.dim(`goes on with run ${run_id}: ${firstLine(task)}`)),
    'intent.recalled': (event: EventOf<'intent.recalled'>) =>
      detail(event, style.dim(`· ${escapeText(event.what)} (from the record)`)),
    'approval.asked': (event: EventOf<'approval.asked'>) => {
      asked.set(event.approval_id, event.question);
      if (!asking) detail(event, style.yellow(`? ${firstLine(event.question)}`));
    },
    'approval.decided': (event: EventOf<'approval.decided'>) => {
      const question = asked.get(event.approval_id) ?? '';
      asked.delete(event.approval_id);
      if (event.by === 'terminal' || asking?.hasShown(event.approval_id)) return;
      const mark = event.answer === 'approve' ? style.green('✓') : style.yellow('!');
      const who = event.answer === 'expired' ? 'nobody answered in time' : answererOf(event.by);
      detail(event, `${mark} ${event.answer} (${who}): ${firstLine(question)}`);
    },
  };
}

function answererOf(by: string): string {
  if (by === 'approve_mode') return 'by the approve mode';
  const [kind, id] = by.split(':');
  return kind === 'remembered' ? `by remembered answer ${id}` : `from ${escapeText(by)}`;
}

/** Of limits that are nearly used up, and of providers that rest. */
const moneyLines = (line: (text: string) => void, style: Style) => ({
  'budget.warned': ({ what, setting, unit, used, limit }: EventOf<'budget.warned'>) => {
    const amount = (value: number) => (unit === 'usd' ? formatCost(value) : `${value} tokens`);
    line(
      style.yellow(`! ${amount(used)} of the ${amount(limit)} for ${what} are used (${setting}).`),
    );
  },
  'breaker.opened': ({ provider, model, rest_ms }: EventOf<'breaker.opened'>) =>
    line(
      style.yellow(
        `! ${provider} (${escapeText(model)}) failed too often and rests for ${formatDuration(rest_ms)} (capstan breakers).`,
      ),
    ),
  'breaker.closed': ({ provider, model }: EventOf<'breaker.closed'>) =>
    line(style.dim(`${provider} (${escapeText(model)}) answers again.`)),
});

/** Not a model: what it does is told by its results. */
const OFFLINE = 'offline';

const firstLine = (text: string): string => escapeText(text.split('\n')[0] ?? '');
