import * as z from 'zod';
import { type Route, route } from './route.ts';
import { ById, limit, textOrNull } from './schemas/shared-schemas.ts';

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
        id: one.id,
        title: one.task.slice(0, 200),
        workspace: one.workspace,
        status: one.status,
        runs: one.runs,
        newest_at: one.newestAt,
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
    async handle({ capstan }, { params }) {
      const { id, runs } = await capstan.sessions.get(params.id);
      return {
        id,
        runs: runs.map(({ id: run, task, status, answer }) => ({ id: run, task, status, answer })),
      };
    },
  }),
];
