import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { shareCache } from '../runner/share-cache.ts';

const root = join(import.meta.dirname, '../..');
const launcher = join(root, 'bin/capstan.js');
const CHROMIUM = '/usr/bin/chromium';
const axe = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** Whether this machine has Chromium. With `CAPSTAN_NO_SKIPS` (set by `.ci/run`), the tests run, and fail, anyway. */
export const hasChromium = process.env['CAPSTAN_NO_SKIPS'] === '1' || existsSync(CHROMIUM);

export interface Server {
  readonly url: string;
  readonly token: string;
  readonly process: ChildProcess;
}

/** Starts the built server on a free port, or on this one. */
export async function startServer(
  place: { readonly cwd: string; readonly home: string },
  port = 0,
): Promise<Server> {
  shareCache(join(place.home, 'capstan'));
  const args = ['serve', '--json', '--no-open', '--port', String(port)];
  const child = spawn(process.execPath, [launcher, ...args], {
    cwd: place.cwd,
    env: { PATH: process.env['PATH'], HOME: place.home, CAPSTAN_HOME: join(place.home, 'capstan') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    if (text.includes('\n')) break;
  }
  return { ...(JSON.parse(text) as { url: string; token: string }), process: child };
}

/** Pages of one context share one process: starting one takes longer than showing the dashboard. */
const ONE_PROCESS = [
  '--disable-site-isolation-trials',
  '--process-per-site',
  '--renderer-process-limit=1',
];

let browser: Promise<Browser> | undefined;

/**
 * One for all suites of this process, with which it ends: its start takes longer than showing the dashboard. If it died, a new
 * one.
 */
export function openBrowser(): Promise<Browser> {
  browser ??= launch().catch((error: unknown) => {
    browser = undefined;
    throw error;
  });
  return browser;
}

async function launch(): Promise<Browser> {
  const launched = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', ...ONE_PROCESS],
  });
  launched.once('disconnected', () => {
    browser = undefined;
  });
  return launched;
}

/** The pages of one suite. */
export async function openContext(opened: Browser, { url }: Server): Promise<BrowserContext> {
  const context = await opened.newContext();
  // Stays open, and with it the process.
  const first = await context.newPage();
  await first.goto(`${url}/healthz`);
  return context;
}

export interface PageOptions {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
}

/** A page that is signed in, and the problems in its console. */
export interface OpenPage {
  readonly page: Page;
  readonly complaints: string[];
}

export async function openPage(
  context: BrowserContext,
  server: Server,
  { theme = 'light', width = 1440, height = 900 }: PageOptions = {},
): Promise<OpenPage> {
  const page = await context.newPage();
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: theme });
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.addInitScript(
    `sessionStorage.setItem('capstan.token', ${JSON.stringify(server.token)})`,
  );
  return { page, complaints };
}

/**
 * Closes a page and forgets what it chose for all pages. Requests that `page.route` still answers end with it, without an
 * error.
 */
export async function closePage(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // A page that could not be loaded has no storage.
  await page.evaluate('localStorage.clear()').catch(() => undefined);
  await page.close();
}

/** The findings of axe on the page. It is loaded through the debugger: the page's policy allows no other script. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: axe });
  const expression = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    JSON.stringify(violations.map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 200))))`;
  const { result } = await session.send('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    returnByValue: true,
  });
  return JSON.parse(String(result.value)) as string[];
}
