import { approvals } from './approvals.ts';
import { capsuleDrafts } from './capsule-drafts.ts';
import { capsules, memory } from './capsules.ts';
import { costs, health } from './health.ts';
import { newCapsules } from './new-capsules.ts';
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
