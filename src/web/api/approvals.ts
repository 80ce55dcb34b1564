import * as z from 'zod';
import type { Capstan } from '../../app/open-capstan.ts';
import { withDocumentKeys } from '../../contract/documents/document-keys.ts';
import {
  AnswerBody,
  PatternPreview,
  Question,
  QuestionHistory,
  RememberedRow,
} from '../../contract/documents/question-documents.ts';
import { type Route, route } from './route.ts';
import { BY, limit } from './shared-schemas.ts';

/** Each is checked as a step of a plan when it is answered. */
type EditedSteps = Parameters<Capstan['approvals']['answer']>[1]['steps'];

export const approvals: readonly Route[] = [
  route('GET /approvals', {
    summary: 'Open questions, oldest first; with `all` answered ones too, newest first',
    query: z.object({ all: z.enum(['true', 'false']).default('false'), limit: limit(50, 500) }),
    answer: z.object({ approvals: z.array(Question) }),
    handle: async ({ capstan }, { query }) => ({
      approvals: await capstan.reports.questions({ all: query.all === 'true', limit: query.limit }),
    }),
  }),
  route('GET /approvals/:id', {
    summary: 'One question',
    answer: Question,
    handle: ({ capstan }, { params }) => capstan.reports.question(params.id),
  }),
  route('GET /approvals/:id/history', {
    summary: 'How earlier requests of this kind were answered',
    answer: QuestionHistory,
    handle: ({ capstan }, { params }) => capstan.reports.history(params.id),
  }),
  route('GET /approvals/:id/preview', {
    summary: "How many of the capsule's last requests a pattern matches",
    query: z.object({
      pattern: z.string().min(1).max(2_000),
      answer: z.enum(['approve', 'deny']).default('approve'),
    }),
    answer: PatternPreview,
    handle: ({ capstan }, { params, query }) =>
      capstan.reports.previewPattern(params.id, query.pattern, query.answer),
  }),
  route('POST /approvals/:id/answer', {
    summary: 'Answer a question, once: the first answer wins',
    body: AnswerBody,
    answer: Question,
    async handle({ capstan }, { params, body: { answer, binding, note, steps, remember } }) {
      const { approval } = await capstan.approvals.answer(params.id, {
        ...{ answer, binding, note, by: BY },
        steps: steps as EditedSteps,
        remember: remember && {
          scope: remember.scope,
          pattern: remember.pattern ?? undefined,
          until: remember.expires_at ?? undefined,
        },
      });
      return capstan.reports.question(approval.id);
    },
  }),
  route('GET /remembered', {
    summary: 'Remembered answers, newest first',
    answer: z.object({ remembered: z.array(RememberedRow) }),
    handle: async ({ capstan }) => ({
      remembered: (await capstan.approvals.remembered()).map(withDocumentKeys),
    }),
  }),
  route('DELETE /remembered/:id', {
    summary: 'End a remembered answer',
    answer: z.object({ id: z.string(), is_revoked: z.boolean() }),
    handle: async ({ capstan }, { params }) =>
      withDocumentKeys(await capstan.approvals.revoke(params.id, { by: BY })),
  }),
];
