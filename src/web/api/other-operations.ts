import * as z from 'zod';
import type { Operation } from './openapi.ts';
import { ById } from './shared-schemas.ts';

/** What POST /session takes. */
export const LinkCode = z.strictObject({ code: z.string().min(20).max(100) });

/** The number of the last event that a client has. */
export const EventNumber = z.coerce
  .number()
  .int()
  .min(0)
  .max(Number.MAX_SAFE_INTEGER)
  .default(0)
  .describe('Also as the header `last-event-id`.');

const stream = 'text/event-stream';

/** The operations of the server besides its routes. */
export const otherOperations: readonly Operation[] = [
  {
    ...{ method: 'POST', path: '/session', isOpen: true },
    summary: 'The token for the code of a link, once, within ten minutes',
    body: LinkCode,
    answer: z.object({ token: z.string() }),
  },
  {
    ...{ method: 'GET', path: '/stream', type: stream },
    summary:
      'What changes: `run` with its id, `approvals`, `capsules`, and `overview` with its document',
  },
  {
    ...{ method: 'GET', path: '/runs/:id/events', type: stream },
    summary:
      'The numbered events of a run after a number, `delta` with pieces of answers, and `end`',
    params: ById,
    query: z.object({ after: EventNumber }),
  },
  {
    ...{ method: 'GET', path: '/openapi.json', type: 'application/json' },
    summary: 'This document',
  },
];
