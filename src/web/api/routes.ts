import { approvals } from './approvals.ts';
import { capsuleDrafts } from './capsules/capsule-drafts.ts';
import { capsules, memory } from './capsules/capsules.ts';
import { newCapsules } from './capsules/new-capsules.ts';
import { costs } from './costs.ts';
import { health } from './health.ts';
import type { Route } from './route.ts';
import { runHistory } from './run-history.ts';
import { runs, sessions } from './runs.ts';

/** Every route that answers with one document or file. Each needs the token. */
export const routes: readonly Route[] = [
  ...runs,
  ...runHistory,
  ...sessions,
  ...approvals,
  ...capsules,
  ...capsuleDrafts,
  ...newCapsules,
  ...memory,
  ...costs,
  ...health,
];
