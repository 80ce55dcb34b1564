import { join } from 'node:path';
import * as z from 'zod';
import { CapsuleCase } from '../../src/authoring/cases/capsule-case.ts';
import { Manifest } from '../../src/registry/manifest/manifest.ts';
import { SkillAttributes } from '../../src/registry/overlay/skills.ts';

interface Described {
  readonly title: string;
  readonly description: string;
}

function schemaText(schema: z.ZodType, { title, description }: Described): string {
  const { $schema, ...body } = z.toJSONSchema(schema, { io: 'input' });
  return `${JSON.stringify({ $schema, title, description, ...body }, undefined, 2)}\n`;
}

/** JSON Schemas for editors, by file name in `docs/`. Fields with a default may be omitted. */
export const authorSchemas = (): ReadonlyMap<string, string> =>
  new Map([
    [
      'manifest.schema.json',
      schemaText(Manifest, {
        title: 'Capstan capsule manifest',
        description: 'manifest.json of a capsule: who it is, what it may ask for, what it can do.',
      }),
    ],
    [
      'skill.schema.json',
      schemaText(SkillAttributes, {
        title: 'Front matter of a skill',
        description: 'The YAML between two lines of --- at the start of SKILL.md.',
      }),
    ],
    [
      'case.schema.json',
      schemaText(CapsuleCase, {
        title: 'Capstan capsule case',
        description:
          'A case of `capstan capsules test`: a task, its files, and what must come of it.',
      }),
    ],
  ]);

export const schemaPath = (name: string): string => join(import.meta.dirname, '../../docs', name);
