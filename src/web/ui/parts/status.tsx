import type { RunRow } from '../lib/api-documents.ts';

/** Every status of the API that has an icon. */
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

/** The displayed status of a run. */
export const shownStatus = (run: Pick<RunRow, 'status' | 'is_waiting'>): string =>
  run.is_waiting ? 'waiting' : run.status;

/** The look of a status. An unknown status has the icon of `pending` and its own name. */
export const lookOf = (status: string): Look =>
  looks[status as Status] ?? { ...looks.pending, word: status };

/** The icon of a status. `isHidden`: its word is next to it, so the icon needs no accessible name. */
export function Mark({ status, isHidden = false }: { status: string; isHidden?: boolean }) {
  const { shape, tone, word } = lookOf(status);
  const name = isHidden ? { 'aria-hidden': true } : { role: 'img', 'aria-label': word };
  return (
    <svg className={`mark ${tone} ${status === 'running' ? 'spin' : ''}`} {...name}>
      <use href={`#${shape}`} />
    </svg>
  );
}

/** Icon and word of a status on a coloured background: `Failed · denied`. */
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
