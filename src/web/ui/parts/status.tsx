import type { RunRow } from '../../../contract/documents/run-documents.ts';

interface Look {
  readonly shape: string;
  readonly tone: '' | 'run' | 'wait' | 'good' | 'bad' | 'park';
  readonly word: string;
}

const running = { shape: 's-run', tone: 'run', word: 'Running' } as const;
const waiting = { shape: 's-wait', tone: 'wait', word: 'Waiting for you' } as const;

/** The look of each status of the API. */
const looks = {
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
} as const satisfies Record<string, Look>;

/** The displayed status of a run. */
export const shownStatus = (run: Pick<RunRow, 'status' | 'is_waiting'>): string =>
  run.is_waiting ? 'waiting' : run.status;

/** The look of a status. An unknown status has the icon of `pending` and its own name. */
export const lookOf = (status: string): Look =>
  looks[status as keyof typeof looks] ?? { ...looks.pending, word: status };

/** The icon of a status. `isHidden`: its word is next to it, so the icon needs no accessible name. */
export function Mark({ status, isHidden = false }: { status: string; isHidden?: boolean }) {
  const { shape, tone, word } = lookOf(status);
  const name = isHidden ? { 'aria-hidden': true } : { role: 'img', 'aria-label': word };
  return (
    <svg className={`mark ${tone} ${shape === running.shape ? 'spin' : ''}`} {...name}>
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
