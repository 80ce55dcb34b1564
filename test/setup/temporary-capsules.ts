import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CapsuleRoots } from '../../src/registry/capsule-store.ts';

/** Folders of capsules that a test fills and that go when it ends. */
export interface TemporaryCapsules {
  readonly root: string;
  readonly roots: CapsuleRoots & {
    readonly project: { dir: string; isTrusted(id: string): boolean };
  };
  /** Writes a file below the root and returns its path. */
  write(path: string, text: string | Uint8Array): string;
  /** Writes a capsule that does nothing, its manifest changed as given, and returns its folder. */
  writeCapsule(path: string, changes?: Readonly<Record<string, unknown>>): string;
  remove(): void;
}

export function temporaryCapsules(): TemporaryCapsules {
  const root = mkdtempSync(join(tmpdir(), 'capstan-capsules-'));
  const write = (path: string, text: string | Uint8Array): string => {
    const full = join(root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
    return full;
  };
  return {
    root,
    roots: {
      shipped: join(root, 'shipped'),
      personal: join(root, 'personal'),
      project: { dir: join(root, 'project'), isTrusted: () => true },
    },
    write,
    writeCapsule(path, changes = {}) {
      const id = path.split('/').at(-1) ?? '';
      write(join(path, 'manifest.json'), JSON.stringify({ ...plainManifest(id), ...changes }));
      return dirname(write(join(path, 'entrypoint.cjs'), "'use strict';\n"));
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** The smallest useful manifest. */
export const plainManifest = (id: string) => ({
  id,
  name: id,
  version: '1.0.0',
  description: `Does the work of ${id}.`,
  entrypoint: ['node', 'entrypoint.cjs'],
  grants: { tools: {} },
  skills: [],
  task_kinds: [{ name: 'work', mode: 'handler', description: 'Works.', examples: [] }],
});
