import * as z from 'zod';
import type { Capstan } from '../../app/open-capstan.ts';
import { type Route, route } from './route.ts';
import { CapsulePage, CapsuleRow } from './schemas/capsule-schemas.ts';
import { BY, ById } from './schemas/shared-schemas.ts';

type Listed = Awaited<ReturnType<Capstan['capsules']['list']>>[number];

const rowOf = ({ capsule, figures, lastMs, quarantine }: Listed) => ({
  id: capsule.id,
  name: capsule.manifest.name,
  description: capsule.manifest.description,
  version: capsule.manifest.version,
  origin: capsule.origin,
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
  const { capsule, overlayVersion, versions, memories, cases } = details;
  const { overlay, origin, manifest } = capsule;
  return {
    ...rowOf(details),
    overlay: overlay?.text ?? '',
    overlay_version: overlayVersion,
    has_own_overlay: overlay !== undefined,
    can_save: origin !== 'project',
    trust: (await capstan.trust.list(id)).map(({ tier, level }) => ({ tier, level })),
    grants: manifest.grants,
    skills: manifest.skills,
    versions: versions.map(({ version, uses, completed, lastUsedAt }) => ({
      ...{ version, uses, completed_share: completed / uses, last_used_at: lastUsedAt },
    })),
    memories,
    cases: cases.map((name) => ({ name })),
  };
}

/** Listing, reading and editing capsules. */
export const capsules: readonly Route[] = [
  route('GET /capsules', {
    summary: 'All capsules with their figures',
    answer: z.object({ capsules: z.array(CapsuleRow) }),
    handle: async ({ capstan }) => ({
      capsules: (await capstan.capsules.list({ by: BY })).map(rowOf),
    }),
  }),
  route('GET /capsules/:id', {
    summary: 'One capsule',
    params: ById,
    answer: CapsulePage,
    handle: ({ capstan }, { params }) => pageOf(capstan, params.id),
  }),
  route('PUT /capsules/:id/overlay', {
    summary: 'Save the overlay, if it is still the version that was read',
    params: ById,
    body: z.strictObject({ text: z.string().max(262_144), version: z.string().max(64) }),
    answer: z.object({ version: z.string() }),
    async handle({ capstan }, { params: { id }, body }) {
      const options = { version: body.version, by: BY };
      const { version } = await capstan.capsules.saveOverlay(id, body.text, options);
      return { version };
    },
  }),
  route('POST /capsules/:id/check', {
    summary: 'Check manifest, overlay, cases and protocol',
    params: ById,
    answer: z.object({
      is_ok: z.boolean(),
      findings: z.array(
        z.object({
          ...{ rule: z.string(), severity: z.string(), where: z.string() },
          ...{ problem: z.string(), fix: z.string() },
        }),
      ),
    }),
    async handle({ capstan }, { params }) {
      const { isOk, findings } = await capstan.capsules.check(params.id, { by: BY });
      return { is_ok: isOk, findings };
    },
  }),
  route('POST /capsules/:id/quarantine', {
    summary: 'Keep a capsule from being chosen',
    params: ById,
    body: z.strictObject({ reason: z.string().max(500).optional() }).default({}),
    answer: z.object({ id: z.string(), reason: z.string() }),
    handle: ({ capstan }, { params, body }) =>
      capstan.capsules.quarantine(params.id, { ...body, by: BY }),
  }),
  route('POST /capsules/:id/restore', {
    summary: 'Out of the archive or quarantine',
    params: ById,
    answer: z.object({ id: z.string() }),
    async handle({ capstan }, { params }) {
      await capstan.capsules.restore(params.id, { by: BY });
      return { id: params.id };
    },
  }),
];
