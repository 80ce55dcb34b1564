import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type TemporaryCapsules,
  temporaryCapsules,
} from '../../../test/setup/temporary-capsules.ts';
import { isOldShim, rewriteEntrypoint, shimText } from './entrypoint-shim.ts';

let capsules: TemporaryCapsules;
let dir: string;
beforeEach(() => {
  capsules = temporaryCapsules();
  dir = capsules.writeCapsule('personal/one');
});
afterEach(() => capsules.remove());

const shim = () => readFileSync(join(dir, 'entrypoint.cjs'), 'utf8');
const write = (text: string) => void capsules.write('personal/one/entrypoint.cjs', text);

describe('a file that is only a shim', () => {
  it.each([
    'require(process.env.CAPSTAN_SDK).start();',
    "'use strict';\nrequire(process.env.CAPSTAN_SDK).start({});\n",
    'const s = require(process.env.CAPSTAN_SDK);\ns.start();\n',
    shimText(false).replaceAll('\n', '\r\n'),
    shimText(false).replaceAll("'", '"'),
    `${shimText(false)}\n`,
    shimText(true),
  ])('is updated: %j', (text) => {
    write(text);
    expect(isOldShim(dir)).toBe(true);
    expect(rewriteEntrypoint(dir, true)).toBe('rewritten');
    expect(shim()).toBe(shimText(false));
    expect(isOldShim(dir)).toBe(false);
    expect(rewriteEntrypoint(dir, true)).toBe('current');
  });

  it('loads the handlers of the folder as soon as there are any', () => {
    write(shimText(false));
    expect(rewriteEntrypoint(dir, true)).toBe('current');
    capsules.write('personal/one/handlers.cjs', 'exports.handlers = {};');
    expect(rewriteEntrypoint(dir, true)).toBe('rewritten');
    expect(shim()).toBe(shimText(true));
  });
});

it.each([
  "const { start } = require(process.env.CAPSTAN_SDK);\nstart({ handlers: () => require('./mine.cjs') });\n",
  "require('./setup.cjs');\nrequire(process.env.CAPSTAN_SDK).start();\n",
  "const { start } = require(process.env.CAPSTAN_SDK);\nstart({});\nrequire('./more.cjs');\n",
  'const a = require(process.env.CAPSTAN_SDK);\nb.start();\n',
  '// start({}) of the SDK, CAPSTAN_SDK\nprocess.exit(1);\n',
])('an entrypoint that does more is left unchanged: %j', (text) => {
  write(text);
  expect(isOldShim(dir)).toBe(false);
  expect(rewriteEntrypoint(dir, true)).toBe('own');
  expect(shim()).toBe(text);
});
