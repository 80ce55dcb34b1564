import type { StartedRun } from '../../app/runs/started-run.ts';
import { ROOT_NOTICE } from '../../contract/text/root-notice.ts';

/** What a person should know when a run starts. That it runs as root is left to the doctor. */
export const noticesOf = ({
  notices,
  provider,
}: Pick<StartedRun, 'notices' | 'provider'>): readonly string[] => [
  ...notices.filter((notice) => notice !== ROOT_NOTICE),
  ...(provider.name === 'offline' && provider.why !== 'as set' ? [NO_MODEL] : []),
];

const NO_MODEL = 'No model: only explicit instructions work. `capstan setup` adds one.';
