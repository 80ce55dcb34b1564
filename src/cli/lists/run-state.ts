import type { Symbols } from '../menu/terminal/symbols.ts';
import type { Style } from '../text/style.ts';
import type { ListFrame } from './columns/list-column.ts';

interface State {
  readonly status: string;
  readonly reason?: string | null;
  /** Default: 0. */
  readonly openQuestions?: number;
  /** Default: false. */
  readonly isWaiting?: boolean;
}

type Look = readonly [symbol: keyof Symbols, paint: keyof Style];

const looks: Readonly<Record<string, Look>> = {
  running: ['spinner', 'cyan'],
  pending: ['waiting', 'dim'],
  completed: ['done', 'green'],
  parked: ['parked', 'yellow'],
};

const lookOf = ({ status, isWaiting = false }: State): Look =>
  isWaiting ? ['question', 'yellow'] : (looks[status] ?? ['failed', 'red']);

/** The symbol of a run's status. */
export function stateSymbol(state: State, { symbols, spinner }: ListFrame): string {
  return String({ ...symbols, spinner }[lookOf(state)[0]]);
}

/** A cell that begins with the symbol of a run's status, the symbol in its colour. */
export function paintState(cell: string, state: State, { style }: ListFrame): string {
  const [symbol = '', ...rest] = cell.split(' ');
  return [style[lookOf(state)[1]](symbol), ...rest].join(' ');
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
