import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { openCapstan } from '../../src/app/open-capstan.ts';
import type { RunDocument } from '../../src/app/runs/show/run-document.ts';
import { exitCodeOf } from '../../src/cli/errors/exit-codes.ts';
import { closeInherited } from '../../src/runtime/process/close-inherited.ts';
import { writeFixture } from './fixture.ts';

const root = join(import.meta.dirname, '../..');

/** The outcome of a task. */
export interface Ended {
  readonly exitCode: number;
  readonly document: RunDocument;
  /** Path and content of every file that is new or changed. */
  readonly written: Readonly<Record<string, string>>;
}

export interface TaskRunner {
  /** Runs one task in its own workspace and with its own memory. */
  run(task: string, approveMode?: 'allow' | 'deny'): Promise<Ended>;
  remove(): void;
}

/** Runs tasks offline inside this process, each in a fresh workspace, with the example capsule installed. */
export async function openTaskRunner(): Promise<TaskRunner> {
  closeInherited();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-refusals-')));
  const [home, files] = [join(folder, 'home'), join(folder, 'files')];
  const capsules = join(home, 'data/agents');
  mkdirSync(capsules, { recursive: true, mode: 0o700 });
  cpSync(join(root, 'examples/python-capsule'), join(capsules, 'python-capsule'), {
    recursive: true,
  });
  mkdirSync(files);
  writeFixture(files);
  // Capsules are embedded once; every task starts from a copy.
  await runIn({ home, workspace: files }, 'Count the lines of n.txt');
  let count = 0;
  return {
    async run(task, approveMode = 'allow') {
      count += 1;
      const own = join(folder, String(count));
      const places = { home: join(own, 'home'), workspace: join(own, 'files') };
      cpSync(home, places.home, { recursive: true });
      cpSync(files, places.workspace, { recursive: true });
      try {
        const before = contentOf(places.workspace);
        const document = await runIn(places, task, approveMode);
        const written = Object.entries(contentOf(places.workspace)).filter(
          ([path, content]) => before[path] !== content,
        );
        return { exitCode: exitCodeOf(document), document, written: Object.fromEntries(written) };
      } finally {
        rmSync(own, { recursive: true, force: true });
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function runIn(
  { home, workspace }: { readonly home: string; readonly workspace: string },
  task: string,
  approveMode = 'allow',
): Promise<RunDocument> {
  // Otherwise, programs of the machine's user would be reported.
  const env = { PATH: '/usr/bin:/bin', HOME: home, CAPSTAN_HOME: home };
  const capstan = await openCapstan({ env, cwd: workspace });
  try {
    const settings = { provider: 'offline', approveMode, timeout: 60 };
    return await (await capstan.runs.start({ task, settings })).finished;
  } finally {
    await capstan.close();
  }
}

/** Every file of a folder; a hash instead of the content if it is not text. */
function contentOf(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(
    paths.map((path) => {
      const bytes = readFileSync(path);
      const isText = !bytes.includes(0);
      const content = isText
        ? bytes.toString('utf8')
        : createHash('sha256').update(bytes).digest('hex');
      return [relative(folder, path), content];
    }),
  );
}
