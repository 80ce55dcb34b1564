import * as z from 'zod';
import type { Capstan } from '../../../app/open-capstan.ts';
import {
  BrokenCapsule,
  CapsulePage,
  CapsuleRow,
  MemoryItem,
} from '../../../contract/documents/capsule-documents.ts';
import { withDocumentKeys } from '../../../contract/documents/document-keys.ts';
import { ById, type Route, route } from '../route.ts';
import { BY, Done, done } from '../shared-schemas.ts';

type Listed = Awaited<ReturnType<Capstan['capsules']['list']>>[number];

const rowOf = ({ capsule, isEdited, figures, lastMs, quarantine }: Listed) => ({
  ...capsule.manifest,
  origin: capsule.origin,
  is_edited: isEdited,
  quarantine: quarantine?.reason ?? null,
  uses: figures?.uses ?? 0,
  completed_share: figures ? figures.completed / figures.uses : null,
  median_ms: figures?.p50Ms ?? null,
  p95_ms: figures?.p95Ms ?? null,
  cost_usd: figures ? figures.costMicroUsd / 1e6 : null,
  last_ms: lastMs,
});

async function pageOf(capstan: Capstan, id: string) {
  const details = await capstan.capsules.get(id, { by: BY });
  const { capsule, overlayVersion, shippedOverlay, versions, memories, cases } = details;
  const { overlay, origin, manifest } = capsule;
  return {
    ...rowOf(details),
    overlay: overlay?.text ?? '',
    overlay_version: overlayVersion,
    shipped_overlay: shippedOverlay ?? null,
    can_save: origin !== 'project',
    trust: await capstan.trust.list(id),
    grants: manifest.grants,
    skills: manifest.skills,
    task_kinds: manifest.task_kinds,
    versions: versions.map((one) => ({
      ...withDocumentKeys(one),
      completed_share: one.completed / one.uses,
    })),
    memories,
    cases: cases.map((name) => ({ name })),
  };
}

/** Listing, reading and editing capsules. */
export const capsules: readonly Route[] = [
  route('GET /capsules', {
    summary: 'All capsules with their figures, and those that no run can use',
    answer: z.object({ capsules: z.array(CapsuleRow), broken: z.array(BrokenCapsule) }),
    handle: async ({ capstan }) => ({
      capsules: (await capstan.capsules.list({ by: BY })).map(rowOf),
      broken: [...(await capstan.capsules.broken({ by: BY }))],
    }),
  }),
  route('GET /capsules/:id', {
    summary: 'One capsule',
    answer: CapsulePage,
    handle: ({ capstan }, { params }) => pageOf(capstan, params.id),
  }),
  route('PUT /capsules/:id/overlay', {
    summary: 'Save the overlay, if it is still the version that was read',
    body: z.strictObject({ text: z.string().max(262_144), version: z.string().max(64) }),
    answer: z.object({ version: z.string() }),
    handle: ({ capstan }, { params: { id }, body: { text, version } }) =>
      capstan.capsules.saveOverlay(id, text, { version, by: BY }),
  }),
  route('POST /capsules/:id/quarantine', {
    summary: 'Keep a capsule from being chosen',
    body: z.strictObject({ reason: z.string().max(500).optional() }).default({}),
    answer: z.object({ id: z.string(), reason: z.string() }),
    handle: ({ capstan }, { params, body }) =>
      capstan.capsules.quarantine(params.id, { ...body, by: BY }),
  }),
  route('POST /capsules/:id/restore', {
    summary: 'Out of the archive or quarantine',
    answer: z.object({ id: z.string() }),
    handle: ({ capstan }, { params }) => capstan.capsules.restore(params.id, { by: BY }),
  }),
];

type Remembered = Awaited<ReturnType<Capstan['memory']['list']>>[number];

const itemOf = (item: Remembered) => ({ ...withDocumentKeys(item), at: item.createdAt });

const OneItem = ById.extend({ item: z.coerce.number().int().min(0) });

export const memory: readonly Route[] = [
  route('GET /capsules/:id/memory', {
    summary: 'What a capsule remembers, newest first',
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
