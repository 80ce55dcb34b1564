import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { bundleProgram } from '../programs/bundle-program.ts';
import { openScreen, type Screen, type ScreenOptions } from './open-screen.ts';
import { savePicture } from './save-picture.ts';

let screen: Screen | undefined;
afterEach(() => screen?.kill());

/** What leaves the terminal as it was found: frame ended, cursor, colours, pastes, keys. */
const RESTORED = '\u001b[?2026l\u001b[?25h\u001b[0m\u001b[?2004l\u001b[<u\u001b[>4m';

const NO_MODEL = 'No model: only explicit instructions work. /setup adds one.';

const launcher = join(import.meta.dirname, '../../bin/capstan.js');

/** The folders that were opened. */
const folders: string[] = [];

/** Opens the program in its own folder. */
async function open(options: Partial<ScreenOptions> = {}): Promise<Screen> {
  const cwd = mkdtempSync(join(tmpdir(), 'menu-'));
  writeFileSync(join(cwd, 'orders.csv'), 'id,amount\n1,3\n2,5\n');
  writeFileSync(join(cwd, 'till.png'), '');
  folders.push(cwd);
  const env = { CAPSTAN_HOME: join(cwd, '.home'), CAPSTAN_PROVIDER: 'offline', HOME: cwd };
  screen = openScreen({ cwd, ...options, env: { ...env, ...options.env } });
  await screen.shows('/ menu');
  return screen;
}

const prompts = (opened: Screen) => opened.text().match(/^›.*$/gm) ?? [];

it('draws at a terminal also with variables that Ink reads by itself', async () => {
  const opened = await open({ env: { CONTINUOUS_INTEGRATION: '1', INK_SCREEN_READER: 'true' } });
  await opened.shows(/^›\n {2}~ · offline/m);
});

describe.each([60, 80, 120])('at %i columns', (columns) => {
  it('shows the prompt with one hint, and leaves nothing behind', async () => {
    const opened = await open({ columns });
    await opened.shows(/^›\n {2}~ · offline · (?:no )?sandbox(?: [ABC])? · \/ menu · \? keys$/m);
    opened.type('\u0004');
    expect(await opened.ended).toBe(0);
    expect(opened.allText()).toBe(NO_MODEL);
    expect(opened.written()).toContain(RESTORED);
  });

  it('lists commands and files, and completes one with Tab', async () => {
    const opened = await open({ columns });
    opened.type('/cl');
    await opened.shows('▸ clear        start a new session');
    savePicture(opened, `slash-${columns}`);
    opened.type('\u0015count @ord');
    await opened.shows('▸ orders.csv');
    opened.type('\t');
    await opened.shows(/^› count orders\.csv$/m);
    opened.type(' @nosuch.csv\r');
    await opened.shows('! There is no file nosuch.csv: @nosuch.csv is sent as typed');
    opened.type('\u0015read @till');
    await opened.shows('▸ till.png');
    opened.type('\t\r');
    await opened.shows('! Images are not read, only text: till.png');
  });

  it('runs the typed task and continues', async () => {
    const opened = await open({ columns });
    opened.type('Count the rows of orders.csv\r');
    await opened.shows(/Done in/);
    expect(prompts(opened)).toEqual(['› Count the rows of orders.csv', '›']);
  });
});

describe('options without a command', () => {
  it('continue the newest session, in another folder, with a model', async () => {
    const first = await open({ args: ['--provider', 'offline'] });
    first.type('Count the rows of orders.csv\r');
    await first.shows(/Done in/);
    first.type('\u0004');
    expect(await first.ended).toBe(0);
    const [cwd = ''] = folders.slice(-1);
    const elsewhere = { cwd: tmpdir(), env: { CAPSTAN_HOME: join(cwd, '.home') } };
    const second = await open({ ...elsewhere, args: ['--workspace', cwd, '-c'] });
    await second.shows(/^✓ Session [0-9a-f]{8}: the next line is a task in it$/m);
    second.type('Count the rows of orders.csv\r');
    await second.shows(/Done in/);
    second.type('/sessions\r');
    await second.shows(/Sessions in .* · 1 /);
  });

  it('continue the session with a task, name the command that takes a word, and refuse wrong values', async () => {
    for (const [args, text] of [
      [['-c', 'fix'], 'Try: capstan run -c fix'],
      [['-c', 'fix it'], 'There is no earlier run in'],
      [['--provider', 'nope'], '--provider = "nope" (command line): must be offline'],
      [['--session', 'ffff'], 'There is no session "ffff".'],
      [['-c'], 'There is no earlier run in'],
    ] as const) {
      const cwd = mkdtempSync(join(tmpdir(), 'menu-'));
      screen = openScreen({ cwd, args, env: { CAPSTAN_HOME: join(cwd, '.home'), HOME: cwd } });
      await screen.shows(text);
      expect(await screen.ended).toBe(2);
    }
  });
});

describe('the line', () => {
  it('treats several lines and a short paste as text, a long one as an attachment', async () => {
    const opened = await open();
    opened.type('one\ntwo\\\rthree');
    await opened.shows('› one\n  two\n  three');
    opened.paste('a\nb\nc\nd');
    await opened.shows('  threea\n  b\n  c\n  d');
    opened.type('\u0003');
    opened.paste('a\n'.repeat(11));
    opened.type('\r');
    await opened.shows('Enter again sends the pasted lines · or type what to do with them');
    await opened.shows('› [pasted 11 lines]');
  });

  it('sends pasted lines as the task after a second Enter, also if they look like a command', async () => {
    const opened = await open();
    opened.paste('/quit\nb\nc\nCount the words\\');
    opened.type('\r\r');
    await opened.shows('Enter again');
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await opened.shows('› [pasted 4 lines]');
    opened.type('\r');
    await opened.shows('› /quit\n  b\n  c\n  Count the words');
    await opened.shows('✗');
  });

  it('has the lines of before, and searches them', async () => {
    const opened = await open();
    opened.type('/help\r');
    await opened.shows('leave Capstan');
    savePicture(opened, 'help');
    opened.type('\u001b[A');
    await opened.shows(/^› \/help$/m);
    opened.type('\u0015\u0012hel');
    await opened.shows('search: hel');
  });

  it('grows to six rows and no further', async () => {
    const opened = await open();
    opened.type(Array.from({ length: 9 }, (_, index) => `row ${index + 1}`).join('\n'));
    await opened.shows('  row 9');
    expect(opened.text()).not.toContain('row 3');
    expect(opened.text()).toContain('row 4');
  });

  it('is cleared by Ctrl-C, and a second and third one quit', async () => {
    const opened = await open();
    opened.type('words');
    await opened.shows('words');
    opened.type('\u0003');
    await opened.hides('words');
    const from = opened.written().length;
    opened.type('\u0003');
    await opened.wrote('Ctrl-C again quits', from);
    opened.type('\u0003\u0003');
    expect(await opened.ended).toBe(0);
  });

  it('is cleared by Esc, and `exit` alone leaves the program', async () => {
    const opened = await open();
    opened.type('words');
    await opened.shows('words');
    opened.type('\u001b');
    await opened.hides('words');
    opened.type('exit\r');
    expect(await opened.ended).toBe(0);
  });

  it('explains its keys after ?', async () => {
    const opened = await open();
    opened.type('?');
    await opened.shows('stop the run');
    savePicture(opened, 'keys');
    expect(opened.text()).toContain('stop the run; again: discard it');
    opened.type('\u001b');
    await opened.hides('stop the run');
    expect(prompts(opened)).toEqual(['›']);
  });

  it('names the command that was meant', async () => {
    const opened = await open();
    opened.type('/hepl\r');
    await opened.shows('There is no /hepl.');
    await opened.shows('Try: /help');
    savePicture(opened, 'error');
  });
});

describe('the terminal', () => {
  it('is drawn again when its size changes, and prints nothing twice', async () => {
    const opened = await open({ columns: 80, rows: 20, env: { TERM_PROGRAM: 'vscode' } });
    opened.type('/help\r');
    await opened.shows('leave Capstan');
    for (const [columns, rows] of [
      [60, 20],
      [44, 20],
      [120, 20],
      [80, 8],
      [80, 20],
    ] as const) {
      opened.resize(columns, rows);
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    const lines = () => opened.allText().match(/leave Capstan|^›.*$/gm);
    await expect.poll(lines).toEqual(['› /help', 'leave Capstan', '›']);
  });

  it('is never cleared and keeps its screen', async () => {
    const opened = await open({ rows: 12 });
    opened.type('/help\r?/');
    await opened.shows('▸');
    opened.type('\u0003\u0004');
    await opened.ended;
    for (const sequence of ['\u001b[2J', '\u001b[3J', '?1049h']) {
      expect(opened.written()).not.toContain(sequence);
    }
  });

  it('gets complete frames of at most 4 kB, and none without a change', async () => {
    const opened = await open({ columns: 120, rows: 40 });
    opened.type('Count the rows of orders.csv\r');
    await opened.shows(/Done in/);
    const frames = opened.written().split('\u001b[?2026h').slice(1);
    for (const frame of frames) expect(Buffer.byteLength(frame)).toBeLessThanOrEqual(4_096);
    const isQuiet = async () => {
      const before = opened.written().length;
      await new Promise((resolve) => setTimeout(resolve, 400));
      return opened.written().length === before;
    };
    await expect.poll(isQuiet).toBe(true);
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGINT', 130],
  ])('is restored after %s', async (signal, code) => {
    const opened = await open();
    opened.kill(signal);
    expect(await opened.ended).toBe(code);
    expect(opened.written()).toContain(RESTORED);
  });

  it('has its cooked mode back', async () => {
    const opened = await open({
      program: 'sh',
      args: ['-c', `"${process.execPath}" "${launcher}"; stty -a`],
    });
    opened.type('\u0004');
    await opened.shows(/[^-]icanon[\s\S]* echo\b/);
  });

  it('is restored before an exception is printed', async () => {
    const file = bundleProgram(join(import.meta.dirname, 'crashing-program.ts'));
    screen = openScreen({
      program: process.execPath,
      args: [file],
      cwd: join(import.meta.dirname, '../..'),
    });
    expect(await screen.ended).toBe(1);
    const written = screen.written();
    expect(written.indexOf(RESTORED)).toBeLessThan(written.indexOf('out of order'));
    expect(written.indexOf(RESTORED)).toBeGreaterThan(0);
  });

  it('is kept while Ctrl-L draws again, also twice in one read', async () => {
    const opened = await open();
    opened.type('\u000c\u000cab');
    await opened.shows(/^› ab$/m);
    expect(opened.written()).not.toContain(RESTORED);
    opened.type('\u0003');
    await opened.shows(/^›$/m);
    expect(opened.text()).not.toContain('again');
  });

  it('is given back by Ctrl-Z and taken again by fg', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'menu-'));
    const env = { CAPSTAN_HOME: join(cwd, '.home'), CAPSTAN_PROVIDER: 'offline', PS1: 'shell> ' };
    const opened = openScreen({ program: 'bash', args: ['--norc', '-i'], cwd, env });
    screen = opened;
    await opened.shows('shell>');
    opened.type(`"${process.execPath}" "${launcher}"\r`);
    await opened.shows('/ menu');
    opened.type('half a line\u001a\u001a');
    await opened.shows(/Stopped[\s\S]*shell>/);
    expect(opened.text()).not.toContain('half a line');
    opened.type('fg\r');
    await opened.shows('› half a line');
    opened.type('s');
    await opened.shows(/^› half a lines$/m);
    opened.type('\u0003\u0004');
    await opened.shows(/shell>$/);
    opened.type('echo $?\r');
    await opened.shows(/^0$/m);
  });

  it('redraws nothing on a dumb terminal', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'menu-'));
    const env = {
      CAPSTAN_HOME: join(cwd, '.home'),
      CAPSTAN_PROVIDER: 'offline',
      CAPSTAN_PLAIN: '1',
    };
    screen = openScreen({ cwd, env });
    await screen.shows('Type a task');
    screen.type('/quit\r');
    expect(await screen.ended).toBe(0);
    expect(screen.written()).not.toContain('\u001b[?2026h');
  });
});
