import * as z from 'zod';
import { withDocumentKeys } from '../../contract/documents/document-keys.ts';
import { textOrNull } from '../../contract/documents/document-of.ts';
import { type Route, route } from './route.ts';
import { ById, limit } from './shared-schemas.ts';

const SessionRow = z.object({
  id: z.string(),
  title: z.string(),
  workspace: z.string(),
  status: z.string(),
  runs: z.int(),
  newest_at: z.string(),
});

export const sessions: readonly Route[] = [
  route('GET /sessions', {
    summary: 'Conversations, the newest first',
    query: z.object({ workspace: z.string().optional(), limit: limit(20, 500) }),
    answer: z.object({ sessions: z.array(SessionRow) }),
    handle: async ({ capstan }, { query }) => ({
      sessions: (await capstan.sessions.list(query)).map((one) => ({
        ...withDocumentKeys(one),
        title: one.task.slice(0, 200),
      })),
    }),
  }),
  route('GET /sessions/:id', {
    summary: 'The runs of a conversation, oldest first',
    params: ById,
    answer: z.object({
      id: z.string(),
      runs: z.array(
        z.object({ id: z.string(), task: z.string(), status: z.string(), answer: textOrNull }),
      ),
    }),
    handle: ({ capstan }, { params }) => capstan.sessions.get(params.id),
  }),
];
