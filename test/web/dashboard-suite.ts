import { dirname } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { builtCommandLine } from '../programs/built-command-line.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';
import {
  type OpenPage,
  openBrowser,
  openContext,
  openPage,
  type PageOptions,
  type Server,
  startServer,
} from './open-dashboard.ts';

/** A key or click right after a card appeared is not meant for it, in milliseconds. */
export const DEAF_MS = 500;

/** A person, the server of their Capstan, and pages that are signed in, for all tests of a suite. */
export interface Dashboard {
  readonly person: Person;
  readonly server: Server;
  /** The address of this path. */
  at(path: string): string;
  openPage(options?: PageOptions): Promise<OpenPage>;
  /** Runs a command of the person in their project. @returns What it printed. */
  capstan(...args: string[]): Promise<string>;
  /** The same with more in its environment. */
  capstanWith(more: Readonly<Record<string, string>>, ...args: string[]): Promise<string>;
  /** Starts a run and waits until it ends or asks. @returns Its id. */
  startRun(...args: string[]): Promise<string>;
  /** Starts the server, which was killed, again at its address. */
  startAgain(): Promise<void>;
  /** The processes of Chromium in which pages run. */
  renderers(): Promise<readonly number[]>;
}

/** Opens one before the tests of the suite, and closes it after them. `prepare` is done before the server starts. */
export function dashboardSuite(prepare?: (person: Person, suite: Dashboard) => unknown): Dashboard {
  let person: Person;
  let server: Server;
  let context: BrowserContext;
  const start = (port?: number) =>
    startServer({ cwd: person.project, home: dirname(person.home) }, port);
  const suite: Dashboard = {
    get person() {
      return person;
    },
    get server() {
      return server;
    },
    at: (path) => server.url + path,
    openPage: (options) => openPage(context, server, options),
    capstan: (...args) => suite.capstanWith({}, ...args),
    async capstanWith(more, ...args) {
      const environment = { ...person.environment, ...more };
      return (await builtCommandLine(args, { cwd: person.project, environment })).stdout;
    },
    startRun: async (...args) =>
      JSON.parse(await suite.capstan('run', '--json', '--quiet', ...args)).run_id,
    async startAgain() {
      server = await start(Number(new URL(server.url).port));
    },
    async renderers() {
      const session = await (await openBrowser()).newBrowserCDPSession();
      const { processInfo } = await session.send('SystemInfo.getProcessInfo');
      return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
    },
  };
  beforeAll(async () => {
    person = temporaryPerson();
    await prepare?.(person, suite);
    server = await start();
    context = await openContext(await openBrowser(), server);
  });
  afterAll(async () => {
    await context?.close();
    server?.process.kill('SIGKILL');
    person.remove();
  });
  return suite;
}

/** A project with two files. */
export function writeShop(person: Person): void {
  person.writeProject('orders.csv', 'id,country\n1,DE\n2,FR\n3,DE\n');
  person.writeProject('notes.md', 'one\ntwo\n');
}
