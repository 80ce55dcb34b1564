import type { StartedRun } from '../../app/runs/start/started-run.ts';
import { ROOT_NOTICE } from '../../contract/text/root-notice.ts';

/** The notices of a run. That it runs as root is left to the doctor. */
export const withoutRoot = (notices: readonly string[]): readonly string[] =>
  notices.filter((notice) => notice !== ROOT_NOTICE);

/** Notices at the start of a run, also that it has no model. */
export const noticesOf = ({
  notices,
  provider,
}: Pick<StartedRun, 'notices' | 'provider'>): readonly string[] => [
  ...withoutRoot(notices),
  ...(provider.name === 'offline' && provider.why !== 'as set' ? [NO_MODEL] : []),
];

const NO_MODEL = 'No model: only explicit instructions work. `capstan setup` adds one.';
