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
export function stateSymbol(state: State, { symbols, spinner }: ListFrame): string {
  const { status, isWaiting = false } = state;
  if (isWaiting) return symbols.question;
  if (status === 'running') return spinner;
  return symbols[symbolNames[status] ?? 'failed'];
}

const symbolNames: { readonly [Status in string]?: 'waiting' | 'done' | 'parked' } = {
  pending: 'waiting',
  completed: 'done',
  parked: 'parked',
};

/** A cell that begins with the symbol of a run's status, the symbol in its colour. */
export function paintState(cell: string, state: State, { style }: ListFrame): string {
  const { status, isWaiting = false } = state;
  const [symbol = '', ...rest] = cell.split(' ');
  const paint = style[isWaiting ? 'yellow' : (colours[status] ?? 'red')];
  return [paint(symbol), ...rest].join(' ');
}

const colours: { readonly [Status in string]?: keyof ListFrame['style'] } = {
  running: 'cyan',
  completed: 'green',
  pending: 'dim',
  parked: 'yellow',
};

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
