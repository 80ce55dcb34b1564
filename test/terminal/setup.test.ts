import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';
import { openScreen, type Screen } from './open-screen.ts';
import { savePicture } from './save-picture.ts';

const launcher = join(import.meta.dirname, '../../bin/capstan.js');
const KEY = `sk-ant-${'k'.repeat(97)}x4Qd`;

let person: Person;
let vendor: ModelServer;
let screen: Screen;
beforeEach(async () => {
  person = temporaryPerson();
  vendor = await startModelServer({
    vendor: 'anthropic',
    key: KEY,
    models: ['claude-opus-5-5', 'claude-sonnet-5', 'claude-haiku-4-5'],
    script: () => ({ text: 'ok' }),
  });
});
afterEach(async () => {
  screen.kill();
  await vendor.close();
  person.remove();
});

const file = (name: string) => join(person.home, 'config', name);
function open(program?: { program: string; args: readonly string[] }): Screen {
  screen = openScreen({
    ...(program ?? { args: ['setup'] }),
    cwd: person.project,
    env: {
      CAPSTAN_HOME: person.home,
      HOME: person.environment['HOME'] ?? '',
      ANTHROPIC_BASE_URL: vendor.origin,
      OLLAMA_BASE_URL: 'http://127.0.0.1:9',
    },
  });
  return screen;
}

async function enterKey(key: string): Promise<void> {
  await screen.shows('6 none yet: explicit instructions only');
  screen.type('1\r');
  await screen.shows('Anthropic key (hidden):');
  screen.paste(`${key}\n`);
  screen.type('\r');
}

describe('capstan setup at a terminal', () => {
  it('stores a pasted key that is never shown, after a check and a confirmation', async () => {
    open();
    await enterKey(KEY);
    await screen.shows('108 characters pasted; a check is free');
    await screen.shows('The key works. Models (2: choose others from 3):');
    screen.type('\r');
    await screen.shows(/claude-sonnet-5 answered in .*Write this\?/);
    await screen.shows('ANTHROPIC_API_KEY=********x4Qd');
    savePicture(screen, 'setup');
    expect(existsSync(file('.env'))).toBe(false);
    screen.type('y\r');
    await screen.shows('Written.');
    expect(await screen.ended).toBe(0);
    expect(readFileSync(file('.env'), 'utf8')).toBe(`ANTHROPIC_API_KEY=${KEY}\n`);
    expect(readFileSync(file('config.yaml'), 'utf8')).toBe('provider: anthropic\n');
    expect(statSync(file('.env')).mode & 0o777).toBe(0o600);
    expect(screen.written()).not.toContain('kkkk');
    expect(vendor.chats).toHaveLength(1);
  });

  it('shows the reason of the vendor for a wrong key, and asks again', async () => {
    open();
    await enterKey('sk-ant-wrong-0123456789');
    await screen.shows('rejected the API key (401): invalid x-api-key.');
    savePicture(screen, 'setup-wrong-key');
    await screen.shows(/Anthropic key \(hidden\): *$/);
  });

  it.each([
    ['at the first question', async () => undefined],
    ['while a key is asked for', async () => void screen.type('1\r')],
    [
      'at the last question',
      async () => {
        await enterKey(KEY);
        await screen.shows('The key works.');
        screen.type('\r');
        await screen.shows('y write  n change nothing');
      },
    ],
  ])('Ctrl-C %s writes nothing, restores the terminal and exits with 130', async (_when, come) => {
    const script = `${process.execPath} ${launcher} setup; echo "code $?"; stty -a | grep -o -- '-*icanon'`;
    open({ program: 'sh', args: ['-c', script] });
    await screen.shows('6 none yet: explicit instructions only');
    await come();
    screen.type('\x03');
    await screen.shows('Nothing was written.');
    await screen.shows(/code 130\nicanon/);
    expect(existsSync(file('.env'))).toBe(false);
    expect(existsSync(file('config.yaml'))).toBe(false);
    expect(screen.written().lastIndexOf('\x1b[?2004l')).toBeGreaterThan(
      screen.written().lastIndexOf('\x1b[?2004h'),
    );
  });
});

it('the first start goes to the conversation at once if an option chooses the provider', async () => {
  open({ program: process.execPath, args: [launcher, '--provider', 'offline'] });
  await screen.shows('No model: only explicit instructions work.');
  expect(screen.text()).not.toContain('none yet');
});

it('the first start goes to the conversation on Esc, and says so', async () => {
  open({ program: process.execPath, args: [launcher] });
  await screen.shows('Enter sends the answer · Esc goes to the conversation, nothing is saved');
  screen.type('\x1b');
  await screen.shows(
    'Nothing was written.\nNo model: only explicit instructions work. /setup adds one.',
  );
  await screen.shows('? keys');
  expect(existsSync(file('config.yaml'))).toBe(false);
});

it('capstan setup ends with a signal like any command, and leaves the terminal as it was', async () => {
  open();
  await screen.shows('6 none yet: explicit instructions only');
  screen.kill('SIGTERM');
  expect(await screen.ended).toBe(143);
  expect(screen.written()).toContain('\x1b[?2004l');
});
