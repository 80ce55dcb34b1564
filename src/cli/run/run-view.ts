import type { CapstanEvent } from '../../contract/event.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { formatCost, formatDuration } from '../format.ts';
import { isNotice, isShownAt, type LogLevel, levelOf } from '../options/log-level.ts';
import type { Style } from '../style.ts';
import { shortId } from '../text/short-id.ts';
import { shorten } from '../text/shorten.ts';

export interface RunViewOptions {
  /** Events of lower levels are not shown. */
  readonly level: LogLevel;
  /** The same for notices, which are no progress. Default: `level`. */
  readonly noticeLevel?: LogLevel;
  /** The prompt that asks questions at this terminal, if any. Answers that it has shown are not repeated. */
  readonly asking: { hasShown(approvalId: string): boolean } | undefined;
  /** The answer will be printed, which says why something failed or was denied. Default: it will not be. */
  readonly hasAnswer?: boolean;
}

type EventOf<Type extends CapstanEvent['type']> = Extract<CapstanEvent, { type: Type }>;

/**
 * Prints the events of a run as they happen, one line each. At level `debug`, every event is printed, with the messages of
 * failed tools.
 */
export function createRunView(
  write: (text: string) => void,
  style: Style,
  { level, noticeLevel = level, asking, hasAnswer = false }: RunViewOptions,
): (event: CapstanEvent) => void {
  let width = 2;
  /** Intents whose denial was shown as the answer to a question. */
  const refused = new Set<string>();
  const isDebug = isShownAt('debug', level);
  const why = (message: string | null, isWanted: boolean) =>
    message && (isWanted || isDebug) ? `: ${escapeText(message, true)}` : '';
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
      line(style.bold(phase === 'discovery' ? `Discovery: ${count}` : `Plan: ${count}`));
      width = Math.max(width, ...subtasks.map(({ id }) => id.length));
      for (const { id, description, depends_on } of subtasks) {
        const after = depends_on.length > 0 ? style.dim(` (after ${depends_on.join(', ')})`) : '';
        line(`  ${style.cyan(id.padEnd(width))} ${firstLine(description)}${after}`);
      }
    },
    'plan.repaired': ({ problem }) =>
      line(style.yellow(`! Planning again: ${escapeText(problem)}`)),
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
        detail(event, style.yellow(`· ${event.tool} failed${why(event.message, false)}`));
    },
    'intent.denied': (event) => {
      if (!refused.has(event.intent_id))
        detail(
          event,
          style.red(`✗ denied: ${escapeText(event.what)}${why(event.sentence, !hasAnswer)}`),
        );
    },
    ...capsuleLines({ line, detail, style }),
    ...questionLines({ line, detail, style, asking, refused }),
    ...modelLines({ line, detail, style }),
    ...moneyLines(line, style),
    'subtask.ended': (event) => {
      const time = style.dim(formatDuration(event.duration_ms));
      const mark = event.status === 'completed' ? style.green('✓') : style.red('✗');
      detail(event, `${mark} ${event.status} ${time}${why(event.message, !hasAnswer)}`);
    },
  };
  return (event) => {
    if (!isShownAt(levelOf(event), isNotice(event) ? noticeLevel : level)) return;
    const print = show[event.type] as ((event: CapstanEvent) => void) | undefined;
    if (print) print(event);
    else if (isDebug) line(style.dim(rawLine(event)));
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
  readonly refused: Set<string>;
}

/** Lines about resumed runs, recorded answers and questions. */
function questionLines({ line, detail, style, asking, refused }: Lines) {
  const asked = new Map<string, EventOf<'approval.asked'>>();
  return {
    'run.resumed': ({ run_id, task }: EventOf<'run.resumed'>) =>
      line(style.dim(`continues run ${shortId(run_id)}: ${firstLine(task)}`)),
    'intent.recalled': (event: EventOf<'intent.recalled'>) =>
      detail(event, style.dim(`· ${escapeText(event.what)} (from the record)`)),
    'approval.asked': (event: EventOf<'approval.asked'>) => {
      asked.set(event.approval_id, event);
      const paint = event.kind === 'question' ? style.cyan : style.yellow;
      if (!asking) detail(event, paint(`? ${firstLine(event.question)}`));
    },
    'approval.decided': (event: EventOf<'approval.decided'>) => {
      const question = asked.get(event.approval_id);
      asked.delete(event.approval_id);
      if (event.by === 'terminal' || asking?.hasShown(event.approval_id)) return;
      const isRefusal = question?.kind !== 'question' && event.answer === 'deny';
      if (isRefusal || event.by === 'nobody') refused.add(event.intent_id);
      detail(event, decisionText(event, question, style));
    },
  };
}

function decisionText(
  { answer, by }: EventOf<'approval.decided'>,
  asked: EventOf<'approval.asked'> | undefined,
  style: Style,
): string {
  const question = firstLine(asked?.question ?? '');
  const isExpired = by === 'nobody';
  const who = isExpired ? 'no answer in time' : answererOf(by);
  const isWords = asked?.kind === 'question' && !isExpired;
  const mark = isWords || answer === 'approve' ? style.green('✓') : style.yellow('!');
  return `${mark} ${isWords ? 'answered' : answer} (${who}): ${question}`;
}

function answererOf(by: string): string {
  if (by === 'approve_mode') return 'by the approve mode';
  const [kind, id] = by.split(':');
  return kind === 'remembered'
    ? `by remembered answer ${shortId(id ?? '')}`
    : `from ${escapeText(by)}`;
}

/** Lines about the capsules themselves. */
const capsuleLines = ({ line, detail, style }: Pick<Lines, 'line' | 'detail' | 'style'>) => ({
  'capsule.quarantined': ({ capsule_id: id, reason }: EventOf<'capsule.quarantined'>) => {
    const back = `capstan capsules restore ${escapeText(id)}`;
    line(style.yellow(`! ${escapeText(id)} is quarantined: ${firstLine(reason)} (${back})`));
  },
  'memory.written': (event: EventOf<'memory.written'>) => {
    const mark = event.is_untrusted ? ' (it read content that you did not name)' : '';
    detail(event, style.dim(`remembers: ${firstLine(event.text)}${mark}`));
  },
});

/** Lines about calls of language models. */
const modelLines = ({ line, detail, style }: Pick<Lines, 'line' | 'detail' | 'style'>) => ({
  'model.requested': (event: EventOf<'model.requested'>) => {
    if (event.provider === OFFLINE) return;
    detail(event, `${style.dim('·')} ${event.model} ${style.dim(event.purpose)}`);
  },
  'model.delayed': ({ problem, wait_ms }: EventOf<'model.delayed'>) => {
    if (wait_ms >= LONG_WAIT_MS) {
      const wait = `trying again in ${Math.round(wait_ms / 1_000)} s`;
      line(style.yellow(`! ${firstLine(problem)} (${wait})`));
    }
  },
  'model.answered': (event: EventOf<'model.answered'>) => {
    if (!event.ok) {
      line(style.yellow(`! ${firstLine(event.message ?? `${event.provider} failed`)}`));
    } else if (event.cost_usd > 0) {
      detail(event, style.dim(`  ${formatCost(event.cost_usd)}`));
    }
  },
});

/** Lines about budgets that are nearly spent and about paused providers. */
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
        `! ${provider} (${escapeText(model)}) failed too often and is paused for ${formatDuration(rest_ms)} (capstan doctor breakers).`,
      ),
    ),
  'breaker.closed': ({ provider, model }: EventOf<'breaker.closed'>) =>
    line(style.dim(`${provider} (${escapeText(model)}) works again.`)),
});

/** Shorter waits before another try are not shown. */
const LONG_WAIT_MS = 1_000;

/** Not a language model, so its calls are not shown. */
const OFFLINE = 'offline';

const firstLine = (text: string): string => escapeText(text.split('\n')[0] ?? '');
