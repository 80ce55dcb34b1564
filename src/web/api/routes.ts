import { approvals } from './approvals.ts';
import { capsuleDrafts } from './capsules/capsule-drafts.ts';
import { capsules } from './capsules/capsules.ts';
import { memory } from './capsules/memory.ts';
import { newCapsules } from './capsules/new-capsules.ts';
import { costs } from './costs.ts';
import { health } from './health.ts';
import type { Route } from './route.ts';
import { runHistory } from './run-history.ts';
import { runs } from './runs.ts';
import { sessions } from './sessions.ts';

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
