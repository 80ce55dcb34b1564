import type { RunRow } from '../lib/api-documents.ts';

/** Everything that has a status here, in the words of the API. */
export type Status =
  | 'pending'
  | 'running'
  | 'waiting_approval'
  | 'waiting'
  | 'proposed'
  | 'started'
  | 'completed'
  | 'done'
  | 'failed'
  | 'denied'
  | 'parked'
  | 'skipped'
  | 'cancelled'
  | 'interrupted'
  | 'unknown';

interface Look {
  readonly shape: string;
  readonly tone: '' | 'run' | 'wait' | 'good' | 'bad' | 'park';
  readonly word: string;
}

const running: Look = { shape: 's-run', tone: 'run', word: 'Running' };
const waiting: Look = { shape: 's-wait', tone: 'wait', word: 'Waiting for you' };

const looks: Readonly<Record<Status, Look>> = {
  pending: { shape: 's-pending', tone: '', word: 'Pending' },
  proposed: { shape: 's-pending', tone: '', word: 'Proposed' },
  running,
  started: running,
  waiting_approval: waiting,
  waiting,
  completed: { shape: 's-good', tone: 'good', word: 'Completed' },
  done: { shape: 's-good', tone: 'good', word: 'Done' },
  failed: { shape: 's-bad', tone: 'bad', word: 'Failed' },
  denied: { shape: 's-bad', tone: 'bad', word: 'Denied' },
  parked: { shape: 's-park', tone: 'park', word: 'Parked' },
  interrupted: { shape: 's-park', tone: 'park', word: 'Interrupted' },
  skipped: { shape: 's-skip', tone: '', word: 'Skipped' },
  cancelled: { shape: 's-stop', tone: '', word: 'Cancelled' },
  unknown: { shape: 's-unk', tone: 'wait', word: 'Outcome unknown' },
};

/** The status of a run as it is shown. */
export const shownStatus = (run: Pick<RunRow, 'status' | 'is_waiting'>): string =>
  run.is_waiting ? 'waiting' : run.status;

/** How a status looks. A status that this page does not know is shown as pending, with its own word. */
export const lookOf = (status: string): Look =>
  looks[status as Status] ?? { ...looks.pending, word: status };

/** The shape alone, with its word as its name. `isHidden`: the word stands beside it. */
export function Mark({ status, isHidden = false }: { status: string; isHidden?: boolean }) {
  const { shape, tone, word } = lookOf(status);
  const name = isHidden ? { 'aria-hidden': true } : { role: 'img', 'aria-label': word };
  return (
    <svg className={`mark ${tone} ${status === 'running' ? 'spin' : ''}`} {...name}>
      <use href={`#${shape}`} />
    </svg>
  );
}

/** Shape and word on soft ground: `Failed · denied`. */
export function Chip({ status, detail }: { status: string; detail?: string | null }) {
  const { shape, tone, word } = lookOf(status);
  return (
    <span className={`chip ${tone}`}>
      <svg aria-hidden="true" className={status === 'running' ? 'spin' : ''}>
        <use href={`#${shape}`} />
      </svg>
      {detail ? `${word} · ${detail}` : word}
    </span>
  );
}
