import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openScreen, type Screen } from './open-screen.ts';
import { savePicture } from './save-picture.ts';

const launcher = join(import.meta.dirname, '../../bin/capstan.js');

let home: string;
let cwd: string;
let env: Record<string, string>;
let screen: Screen;

/** A folder with one completed run and one that waits for an answer. */
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'views-'));
  cwd = join(home, 'shop');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'orders.csv'), 'id,amount\n1,3\n2,5\n');
  writeFileSync(join(cwd, 'notes.txt'), 'one two\n');
  env = { CAPSTAN_HOME: join(home, '.capstan'), CAPSTAN_PROVIDER: 'offline', HOME: home };
  run('Count the rows of orders.csv');
  run('Replace "one" with "three" in notes.txt');
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

beforeEach(async () => {
  screen = openScreen({ cwd, env });
  await screen.shows('/ menu');
});
afterEach(() => screen.kill());

function run(task: string): void {
  const all = { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', ...env };
  try {
    execFileSync(process.execPath, [launcher, 'run', task], { cwd, env: all, stdio: 'ignore' });
  } catch {
    // A parked run has an exit code of its own.
  }
}

/** Opens a view by its command and waits for its title. */
async function open(command: string, title: string | RegExp): Promise<void> {
  screen.type(`${command}\r`);
  await screen.shows(title);
}

describe('views', () => {
  it('the prompt alone has one hint', async () => {
    await screen.shows(/~\/shop · offline · (?:no )?sandbox.* · \/ menu · \? keys/);
    savePicture(screen, 'idle');
  });

  it('/runs lists the runs of the folder, filters them, opens one, and closes with Esc', async () => {
    await open('/runs', /Runs in ~\/shop · 2 {2,}\/ filter · \? help · Esc back/);
    await screen.shows(/in notes.* · waits for you/);
    savePicture(screen, 'runs');
    screen.type('/count');
    await screen.hides('waits for you');
    screen.type('\r\r');
    await screen.shows('✓ Done in');
    expect(screen.text()).not.toContain('Runs in ~/shop');
    screen.type('\u001b');
    await screen.shows('1 of 2 shown');
    screen.type('\u001b');
    await screen.shows('waits for you');
    screen.type('\u001b');
    await screen.hides('Runs in ~/shop');
  });

  it('/approvals opens a question, which is answered there; then its run can continue', async () => {
    await open('/approvals', 'Approvals · 1 waits');
    await screen.shows('Replace "one" with "thr… · Allow file-clerk');
    savePicture(screen, 'approvals');
    screen.type('\r');
    await screen.shows(
      '› Replace "one" with "three" in notes.txt\n? Allow file-clerk to change notes.txt?',
    );
    savePicture(screen, 'question');
    screen.type('\u001b');
    await screen.shows('Stays open');
    await screen.shows('Approvals · 1 waits');
    screen.type('\r');
    await screen.shows('y allow once');
    screen.type('y');
    await screen.shows(/Continue the parked run.* y yes/);
    screen.type('n');
    await screen.shows('It stays parked.');
    await screen.shows('Nothing waits for an answer.');
  });

  it('/capsules, /sessions and /doctor show their lists', async () => {
    await open('/capsules', 'Capsules · ');
    await screen.shows('file-clerk');
    savePicture(screen, 'capsules');
    screen.type('?');
    await screen.shows('Any key goes back');
    screen.type('x');
    await screen.hides('Any key goes back');
    screen.type('zz');
    screen.type('/zz');
    await screen.shows(/^\/ zz$/m);
    await screen.shows('Nothing matches the filter.');
    screen.type('\u001b');
    await screen.shows('file-clerk');
    screen.type('\r');
    await screen.shows('Up and Down scroll');
    expect(screen.text()).not.toContain('Capsules · ');
    screen.type('\u001b');
    await screen.shows('Capsules · ');
    screen.type('\u001b');
    await screen.hides('Capsules · ');
    await open('/sessions', 'Sessions in ~/shop · 2');
    savePicture(screen, 'sessions');
    screen.type('\u001b');
    await screen.hides('Sessions in');
    await open('/doctor', /Doctor · \d+ problems?, \d+ warnings?/);
    savePicture(screen, 'doctor');
  });

  it('/plan shows the plan, and Esc drops it before anything was done', async () => {
    screen.type('/plan Count the rows of orders.csv\r');
    await screen.shows('y or Enter starts it · Ctrl-G edits it in $EDITOR · n or Esc drops it');
    savePicture(screen, 'plan');
    expect(screen.text()).toMatch(/0 of 1 done\n›\n {2}y or Enter starts it/);
    expect(screen.text()).toContain('1 Count the rows of orders.csv  table-analyst');
    screen.type('\u001b');
    await screen.shows('Dropped: nothing was done');
  });

  it('accepts `no` at a plan as an answer, and a command as a command', async () => {
    screen.type('/plan Count the rows of orders.csv by id\r');
    await screen.shows('Enter starts it');
    screen.type('/help\r');
    await screen.shows('Any key goes back');
    screen.type('\r');
    await screen.hides('Any key goes back');
    screen.type('also by amount\r');
    await screen.shows('Changing a plan by words needs a model');
    screen.type('\u0015no\r');
    await screen.shows('Dropped: nothing was done');
    expect(screen.allText()).not.toContain('Planning again');
  });

  it('y starts a plan without a model, unless it begins a word', async () => {
    screen.type('/plan Count the rows of orders.csv once more\r');
    await screen.shows('Enter starts it');
    screen.type('yet another');
    await screen.shows('Words change a plan only with a model');
    screen.type('\u0015');
    screen.paste('y');
    await screen.shows('Enter starts the plan');
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(screen.allText()).not.toContain('The plan starts');
    screen.type('\u0015y\r');
    await screen.shows(/The plan starts[\s\S]*Failed ·/);
    expect(screen.allText()).not.toContain('can no longer be answered');
  });

  it('/quit at a plan leaves the program, and nothing was done', async () => {
    screen.type('/plan Count the rows of orders.csv twice\r');
    await screen.shows('Enter starts it');
    screen.type('/quit\r');
    expect(await screen.ended).toBe(3);
  });

  it('/model accepts no name if there is no model', async () => {
    screen.type('/model nonsense\r');
    await screen.shows('There is no model to choose. /setup adds a provider.');
  });

  it('/settings shows the settings with values and their files', async () => {
    screen.type('/settings\r');
    await screen.shows(/CAPSTAN_PROVIDER +offline · environment/);
    await screen.shows(/Yours are in .*config\.yaml/);
  });

  it('an error of the conversation names its own help', async () => {
    await open('/resume', 'No run of this conversation is parked.');
    await screen.shows('Try: /help');
  });

  it('/diff and /undo say so if the conversation has no run yet', async () => {
    screen.type('/diff\r');
    await screen.shows('This conversation has no run yet.');
  });
});
