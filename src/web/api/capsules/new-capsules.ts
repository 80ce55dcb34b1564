import * as z from 'zod';
import type { Capstan } from '../../../app/open-capstan.ts';
import { ArchiveContent, Proposal } from '../../../contract/documents/capsule-documents.ts';
import { FileAnswer, type Route, route } from '../route.ts';
import { BY } from '../shared-schemas.ts';

const Path = z.string().min(1).max(4_096).describe('Of this machine.');
const Made = z.object({ id: z.string() });

/** The manifest is checked in full when the capsule is made. */
type Manifest = Parameters<Capstan['capsules']['create']>[0]['manifest'];

/** Making capsules, and carrying them to another machine. */
export const newCapsules: readonly Route[] = [
  route('POST /capsules/propose', {
    summary: 'The capsule that a description would create; nothing is created',
    body: z.strictObject({
      description: z.string().min(1).max(4_000),
      id: z.string().min(1).max(100).optional(),
    }),
    answer: Proposal,
    async handle({ capstan }, { body: { description, id } }) {
      const options = { id, by: BY };
      const { manifest, overlay, twin, modelProblem } = await capstan.capsules.propose(
        description,
        options,
      );
      const overlaps = twin ? [{ capsule_id: twin.id, score: twin.score }] : [];
      return { manifest, overlay, overlaps, model_problem: modelProblem ?? null };
    },
  }),
  route('POST /capsules', {
    summary: 'Make a capsule that was proposed',
    body: Proposal.pick({ manifest: true, overlay: true }),
    answer: Made,
    async handle({ capstan }, { body: { manifest, overlay } }) {
      const proposal = { manifest: manifest as unknown as Manifest, overlay };
      const { id } = await capstan.capsules.create(proposal, { by: BY });
      return { id };
    },
  }),
  route('GET /capsules/:id/export', {
    summary: 'A capsule as one file',
    async handle({ capstan }, { params }) {
      const { id, text } = await capstan.capsules.export(params.id, { by: BY });
      return new FileAnswer(`${id}.capsule.json`, 'application/json', text);
    },
  }),
  route('POST /capsules/read', {
    summary: 'The content of an archive or a folder on this machine',
    body: z.strictObject({ path: Path }),
    answer: ArchiveContent,
    async handle({ capstan }, { body }) {
      const archive = await capstan.capsules.readArchive(body.path, { by: BY });
      return {
        id: archive.id,
        name: archive.manifest.name,
        description: archive.manifest.description,
        hash: archive.sha256,
        files: archive.files.map(({ path, content }) => ({ path, bytes: content.length })),
      };
    },
  }),
  route('POST /capsules/import', {
    summary: 'Import what was read, if it has not changed since',
    body: z.strictObject({ path: Path, hash: z.string().max(64) }),
    answer: Made,
    async handle({ capstan }, { body }) {
      const { id } = await capstan.capsules.import(body.path, { sha256: body.hash, by: BY });
      return { id };
    },
  }),
];
