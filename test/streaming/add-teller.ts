import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Person } from '../setup/temporary-person.ts';

/** A capsule whose result is one answer of the model. */
export function addTeller({ home }: Person): void {
  const dir = join(home, 'data/agents/teller');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const manifest = {
    id: 'teller',
    name: 'teller',
    version: '1.0.0',
    description: 'Tells.',
    entrypoint: ['node', 'entrypoint.cjs'],
    grants: { tools: {} },
    skills: [],
    task_kinds: [{ name: 'tell', mode: 'prompt', description: 'Tells.' }],
  };
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(join(dir, 'skill.md'), '# Teller\n\nTell.\n');
  writeFileSync(
    join(dir, 'entrypoint.cjs'),
    `'use strict';\nconst { start } = require(process.env.CAPSTAN_SDK);\nstart({ handlers: () => ({}) });\n`,
  );
}
