import type { StartedRun } from '../../app/runs/start/started-run.ts';
import { ROOT_NOTICE } from '../../contract/text/root-notice.ts';
import { REVIEW_AND_TRUST } from '../../contract/text/trust-notice.ts';

/** The notices of a run, with commands. That it runs as root is left to the doctor. */
export const shownNotices = (notices: readonly string[]): readonly string[] =>
  notices
    .filter((notice) => notice !== ROOT_NOTICE)
    .map((notice) =>
      notice.replace(REVIEW_AND_TRUST, '`capstan config trust` shows and trusts them.'),
    );

type RunStart = Pick<StartedRun, 'notices' | 'provider'>;

/** Notices at the start of a run, also that it has no model. */
export const noticesOf = ({ notices, provider }: RunStart): readonly string[] => [
  ...shownNotices(notices),
  ...(provider.name === 'offline' && provider.why !== 'as set' ? [NO_MODEL] : []),
];

const NO_MODEL = 'No model: only explicit instructions work. `capstan setup` adds one.';
