import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { terminalPicture } from './terminal-picture.ts';

const root = join(import.meta.dirname, '..');
const task =
  'Find the ten slowest requests in examples/access.log, group the errors by endpoint, and save a report as report.md';

/** What the main job of the README writes to a terminal with colours, in the order in which it comes. */
function runDemo(): string {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-demo-'));
  try {
    cpSync(join(root, 'examples/access.log'), join(folder, 'examples/access.log'));
    const line = 'node "$0" run --provider offline "$1" 2>&1 </dev/null';
    return execFileSync('sh', ['-c', line, join(root, 'bin/capstan.js'), task], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 60_000,
      env: {
        PATH: process.env['PATH'] ?? '',
        CAPSTAN_HOME: join(folder, '.home'),
        FORCE_COLOR: '1',
        COLUMNS: '142',
      },
    }).replaceAll(folder, '~/shop');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const picture = terminalPicture({
  title: 'capstan',
  command: `capstan run --provider offline "${task}"`,
  output: runDemo(),
  columns: 142,
  maxLines: 48,
});
writeFileSync(join(root, 'docs/demo.svg'), picture);
