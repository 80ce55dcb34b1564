import * as z from 'zod';
import type { Capstan } from '../../../app/open-capstan.ts';
import { MemoryItem } from '../../../contract/documents/capsule-documents.ts';
import { withDocumentKeys } from '../../../contract/documents/document-keys.ts';
import { type Route, route } from '../route.ts';
import { BY, ById, Done, done } from '../shared-schemas.ts';

type Remembered = Awaited<ReturnType<Capstan['memory']['list']>>[number];

const itemOf = (item: Remembered) => ({ ...withDocumentKeys(item), at: item.createdAt });

const OneItem = ById.extend({ item: z.coerce.number().int().min(0) });

export const memory: readonly Route[] = [
  route('GET /capsules/:id/memory', {
    summary: 'What a capsule remembers, newest first',
    params: ById,
    answer: z.object({ items: z.array(MemoryItem) }),
    handle: async ({ capstan }, { params }) => ({
      items: (await capstan.memory.list(params.id, { by: BY })).map(itemOf),
    }),
  }),
  route('PUT /capsules/:id/memory/:item', {
    summary: 'Change one memory',
    params: OneItem,
    body: z.strictObject({
      text: z.string().min(1).max(4_000).optional(),
      recall_in: z.enum(['here', 'all']).optional(),
      is_confirmed: z.boolean().optional(),
    }),
    answer: MemoryItem,
    handle: async ({ capstan }, { params, body }) =>
      itemOf(
        await capstan.memory.edit(params.id, params.item, {
          ...{ text: body.text, recallIn: body.recall_in, isConfirmed: body.is_confirmed },
          by: BY,
        }),
      ),
  }),
  route('DELETE /capsules/:id/memory/:item', {
    summary: 'Forget one memory',
    params: OneItem,
    answer: Done,
    async handle({ capstan }, { params }) {
      await capstan.memory.forget(params.id, [params.item], { by: BY });
      return done;
    },
  }),
];
