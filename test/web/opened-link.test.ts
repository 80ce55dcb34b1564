import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';
import { openScreen, type Screen } from '../terminal/open-screen.ts';
import { hasChromium, openBrowser } from './open-dashboard.ts';

let person: Person;
let screen: Screen | undefined;
beforeEach(() => {
  person = temporaryPerson();
  // The program that opens a browser: writes its arguments down.
  const bin = join(person.project, 'xdg-open');
  writeFileSync(bin, `#!/bin/sh\nprintf '%s\\n' "$@" > '${person.project}/opened.part'\n`);
  writeFileSync(bin, `mv '${person.project}/opened.part' '${opened()}'\n`, { flag: 'a' });
  chmodSync(bin, 0o755);
});
afterEach(() => {
  screen?.kill('SIGKILL');
  person.remove();
});

const opened = () => join(person.project, 'opened');
const links = () => join(person.home, 'state/links');

async function until(holds: () => boolean): Promise<void> {
  for (let left = 300; !holds() && left > 0; left -= 1) await sleep(100);
  expect(holds()).toBe(true);
}

/** Starts the server at a terminal. Returns the printed link and the arguments of the opened program. */
async function serve(): Promise<{ link: URL; args: string }> {
  screen = openScreen({
    args: ['serve', '--port', '0'],
    cwd: person.project,
    env: {
      CAPSTAN_HOME: person.home,
      HOME: dirname(person.home),
      PATH: `${person.project}:${process.env['PATH']}`,
    },
    columns: 160,
  });
  await screen.shows('Ctrl-C stops the server');
  await until(() => existsSync(opened()));
  const link = new URL(/http:\S+/.exec(screen.allText())?.[0] ?? '');
  return { link, args: readFileSync(opened(), 'utf8').trim() };
}

const exchange = (link: URL) =>
  fetch(new URL('/api/v1/session', link), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: link.hash.slice('#code='.length) }),
  });

describe.skipIf(process.platform !== 'linux')('the browser that `serve` opens', () => {
  it('gets a private file, which is removed once its code was used; no argument contains the code', async () => {
    const { link, args } = await serve();
    expect(args).toMatch(/\/state\/links\/\w+\.html$/);
    expect(args).not.toContain(link.hash.slice('#code='.length));
    expect(statSync(args).mode & 0o777).toBe(0o600);
    expect(statSync(links()).mode & 0o777).toBe(0o700);
    expect(readFileSync(args, 'utf8')).toContain(link.href);
    expect((await exchange(link)).status).toBe(200);
    expect(readdirSync(links())).toEqual([]);
  });

  it('gets a file that is removed when the server ends, or if it was killed when the next one starts', async () => {
    const { args: first } = await serve();
    screen?.kill('SIGKILL');
    await screen?.ended;
    expect(existsSync(first)).toBe(true);
    rmSync(opened());
    const { args: second } = await serve();
    await until(() => !existsSync(first));
    screen?.kill('SIGTERM');
    await screen?.ended;
    expect(existsSync(second)).toBe(false);
  });

  it.runIf(hasChromium)('arrives at the dashboard, signed in', async () => {
    const { args } = await serve();
    const page = await (await openBrowser()).newPage();
    try {
      await page.goto(`file://${args}`);
      await page.locator('#task').waitFor();
      expect(existsSync(args)).toBe(false);
    } finally {
      await page.close();
    }
  });
});
