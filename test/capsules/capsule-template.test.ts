import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { noSecrets } from '../../src/policy/secrets/redact.ts';
import { shimText } from '../../src/registry/manifest/entrypoint-shim.ts';
import { Manifest } from '../../src/registry/manifest/manifest.ts';
import { renderTemplate } from '../../src/registry/overlay/template.ts';
import { runCapsule } from '../../src/runtime/runner.ts';
import { bare } from '../../src/runtime/sandbox/levels/bare.ts';
import { aRequest } from './request.ts';

const root = join(import.meta.dirname, '../..');
const dir = join(root, 'capsule-template');
const read = (file: string) => readFileSync(join(dir, file), 'utf8');

it('the template has a valid manifest of an agentic capsule, and the shim of today', () => {
  const manifest = Manifest.parse(JSON.parse(read('manifest.json')));
  expect(manifest.task_kinds[0]?.mode).toBe('agentic');
  expect(read('entrypoint.cjs')).toBe(shimText(false));
});

it('the template uses only existing variables in its overlay', () => {
  const text = renderTemplate(
    read('skill.md'),
    { capsule_name: 'Tester', workspace_name: 'docs', today: '2025-01-01', tools: ['file_io'] },
    { path: 'skill.md' },
  );
  expect(text).toContain('in the workspace "docs"');
  expect(text).toContain('these tools: file_io.');
});

it('the template runs as it is', async () => {
  const response = { text: 'All done.', tool_calls: [], finish: 'stop', model: 'scripted' };
  const final = await runCapsule({
    clean: noSecrets.redact,
    capsule: 'new-capsule',
    dir,
    entrypoint: ['node', 'entrypoint.cjs'],
    sdkPath: join(root, 'dist/capsule-sdk.cjs'),
    request: aRequest({ config: { mode: 'agentic' } }),
    onIntent: async () => ({ type: 'api_call_decision', approved: true, note: '', response }),
    sandbox: bare,
    timeoutMs: 20_000,
    signal: new AbortController().signal,
  });
  expect(final).toMatchObject({ status: 'ok', result: 'All done.' });
});
