import type { ListFrame } from './columns/list-column.ts';

interface State {
  readonly status: string;
  readonly reason?: string | null;
  /** Default: 0. */
  readonly openQuestions?: number;
  /** Default: false. */
  readonly isWaiting?: boolean;
}

/** The symbol of a run's status. */
export function stateSymbol(
  { status, isWaiting = false }: State,
  { symbols, spinner }: ListFrame,
): string {
  if (isWaiting) return symbols.question;
  if (status === 'running') return spinner;
  if (status === 'pending') return symbols.waiting;
  if (status === 'completed') return symbols.done;
  return status === 'parked' ? symbols.parked : symbols.failed;
}

/** A cell that begins with the symbol of a run's status, the symbol in its colour. */
export function paintState(
  cell: string,
  { status, isWaiting = false }: State,
  { style }: ListFrame,
): string {
  const [symbol = '', ...rest] = cell.split(' ');
  return [(isWaiting ? style.yellow : painter(status, style))(symbol), ...rest].join(' ');
}

function painter(status: string, style: ListFrame['style']): (text: string) => string {
  if (status === 'running') return style.cyan;
  if (status === 'completed') return style.green;
  if (status === 'pending') return style.dim;
  return status === 'parked' ? style.yellow : style.red;
}

/** Why a run did not complete: `waits for you`, `parked`, `denied`. Empty if it works or is done. */
export function stateWords(state: State): string {
  const { status, reason = null, openQuestions = 0, isWaiting = false } = state;
  if (isWaiting) return 'waits for you';
  if (status === 'completed' || status === 'running') return '';
  if (status === 'pending') return 'not started yet';
  if (status === 'parked') return openQuestions > 0 ? 'waits for you' : parkedWords(reason);
  return reason === null || reason === 'subtask_failed' ? status : reason.replaceAll('_', ' ');
}

const parkedWords = (reason: string | null): string =>
  reason === null || reason === 'approval' ? 'parked' : `parked: ${reason}`;
