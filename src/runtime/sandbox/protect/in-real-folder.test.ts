import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inRealFolder } from './in-real-folder.ts';

let ground: string;
beforeEach(() => {
  ground = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-real-')));
  mkdirSync(join(ground, 'inside/sub'), { recursive: true });
  mkdirSync(join(ground, 'outside/sub'), { recursive: true });
  writeFileSync(join(ground, 'outside/sub/own'), '');
});
afterEach(() => {
  rmSync(ground, { recursive: true, force: true });
});

/** What a process does that is still there. */
const exchange = () => {
  renameSync(join(ground, 'inside'), join(ground, 'moved'));
  symlinkSync('outside', join(ground, 'inside'));
};

describe.runIf(process.platform === 'linux')('a folder that is exchanged for a link', () => {
  it.each(['inside', 'inside/sub'])('is refused (%s)', (folder) => {
    exchange();
    expect(() => inRealFolder(join(ground, folder), (at) => readdirSync(at))).toThrow(
      /replaced|ENOTDIR/,
    );
  });

  it('is still the one that was opened', () => {
    const seen = inRealFolder(join(ground, 'inside/sub'), (at) => {
      exchange();
      return readdirSync(at);
    });
    expect(seen).toEqual([]);
  });
});
