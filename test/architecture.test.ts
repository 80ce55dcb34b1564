import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../src/cli/commands.ts';
import { createMentionFinder } from './sources/command-mentions.ts';
import { importCircles } from './sources/import-circles.ts';
import { forbiddenImports, hasLayer, rows } from './sources/layers.ts';
import {
  importsOf,
  type SourceImport,
  sourceFiles,
  sourceImports,
} from './sources/source-imports.ts';

const src = join(import.meta.dirname, '../src');
const files = sourceFiles(src);
const imports = sourceImports(src);

/** Words that say nothing about the content of a file. */
const emptyWords = new Set(
  'types type utils util helpers helper managers manager services service data info common misc constants'.split(
    ' ',
  ),
);

/** A file's text without comments and strings. */
const codeOf = (file: string): string =>
  readFileSync(join(src, file), 'utf8')
    .replace(/\/\*.*?\*\/|(?<!:)\/\/[^\n]*/gs, '')
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, "''");

describe('the source tree', () => {
  it('gives every file a layer', () => {
    expect(files.filter((file) => !hasLayer(file))).toEqual([]);
  });

  it('imports downwards only, and into capsules nothing but the SDK', () => {
    expect(forbiddenImports(imports)).toEqual([]);
  });

  it('has no circle of imports', () => {
    expect(importCircles(imports)).toEqual([]);
  });

  it('names every file after its export', () => {
    const named = files.filter((file) => {
      const name = file.replace(/^.*\/|\.tsx?$/g, '');
      return name === 'index' || name.split('-').some((word) => emptyWords.has(word));
    });
    expect(named).toEqual([]);
  });

  it('reads the environment in src/config only', () => {
    const reads = files.filter(
      (file) => !file.startsWith('config/') && /\bprocess\.env\b|\bprocess\[/.test(codeOf(file)),
    );
    expect(reads).toEqual([]);
  });

  it('passes on the environment that it was opened with, and offers that of the process to entry files only', () => {
    const entries = ['config/places.ts', 'app/own-process.ts', 'cli/main.ts'];
    const reads = files.filter(
      (file) => !entries.includes(file) && /\bprocessEnvironment\b/.test(codeOf(file)),
    );
    expect(reads).toEqual([]);
  });

  it('reaches the network by node:http(s) only, never by the global fetch', () => {
    // A page has nothing else.
    const isPage = (file: string) => file.startsWith('web/ui/');
    const calls = files.filter((file) => !isPage(file) && /(?<![.\w])fetch\(/.test(codeOf(file)));
    expect(calls).toEqual([]);
  });
});

/** Files whose strings may contain command lines and flags of Capstan, as a file or a folder; bwrap has a flag of the same name. */
const mayMention = ['cli/', 'web/ui/', 'runtime/sandbox/bubblewrap/'];

describe('the strings of the source tree', () => {
  const mentionsIn = createMentionFinder(commands);

  it('mention no command and no flag below the surfaces', () => {
    const isAllowed = (file: string) => mayMention.some((place) => file.startsWith(place));
    const found = files
      .filter((file) => !isAllowed(file))
      .flatMap((file) =>
        mentionsIn(readFileSync(join(src, file), 'utf8')).map((text) => `${file}: ${text}`),
      );
    expect(found).toEqual([]);
  });

  it.each([
    ["'see `capstan runs list`'", ['capstan runs']],
    ["'set --budget-usd to more'", ['--budget-usd']],
    ["'a capstan turns' // capstan runs list --json", []],
    ["'docs/**' + 'capstan resume' /* --json */", ['capstan resume']],
    ["['--ro-bind', '--json-lines']", []],
  ])('%s mentions %j', (text, mentions) => {
    expect(mentionsIn(text)).toEqual(mentions);
  });
});

/** The one place where a surface starts the other. */
const SERVER_ENTRY = 'web/serve.ts';

describe('a surface', () => {
  it('cli/ imports only app/ and contract/', () => {
    const isOwn = (to: string) => ['cli', 'app', 'contract'].includes(to.split('/')[0] ?? '');
    const found = imports.filter(
      ({ from, to }) =>
        from.startsWith('cli/') && /\.tsx?$/.test(to) && !isOwn(to) && to !== SERVER_ENTRY,
    );
    expect(found.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });
});

describe('the database', () => {
  it('is opened in app/context/open-context.ts only', () => {
    const mayOpen = [
      'app/context/open-context.ts',
      'coordinator/store/open-stores.ts',
      'db/open-database.ts',
    ];
    const found = files.filter(
      (file) => !mayOpen.includes(file) && /\bopen(?:Stores|Database)\(/.test(codeOf(file)),
    );
    expect(found).toEqual([]);
  });
});

describe('what every command loads', () => {
  /** Packages reached from `file` by imports that are evaluated at load time. */
  const packagesOf = (file: string, seen = new Set<string>()): string[] => {
    if (seen.has(file)) return [];
    seen.add(file);
    const loaded = imports.filter(({ from, kind }) => from === file && kind === 'static');
    return loaded.flatMap(({ to }) => (/\.tsx?$/.test(to) ? packagesOf(to, seen) : [to]));
  };

  it('is the parser and the settings, no graph, no database, no model', () => {
    const packages = packagesOf('cli/main.ts').filter((name) => !name.startsWith('node:'));
    const allowed = ['commander', 'yaml', 'zod'];
    expect([...new Set(packages)].filter((name) => !allowed.includes(name))).toEqual([]);
  });
});

const of = (from: string, to: string, kind: SourceImport['kind'] = 'static') => ({
  from,
  to,
  kind,
});

describe('a circle of imports', () => {
  const [out, back, beside] = [of('a.ts', 'b.ts'), of('b.ts', 'a.ts', 'type'), of('a.ts', 'c.ts')];

  it('is found, without the nodes that depend on it', () => {
    expect(importCircles([out, back, beside, of('d.ts', 'a.ts')])).toEqual([out, back]);
  });

  it('is not reported if two paths lead to one node', () => {
    expect(importCircles([out, beside, of('b.ts', 'c.ts')])).toEqual([]);
  });
});

describe('the picture of the layers', () => {
  it('is that of docs/architecture.md', () => {
    const page = readFileSync(join(src, '../docs/architecture.md'), 'utf8');
    const [, picture = ''] = /## Layers.*?```\n(.*?)```/s.exec(page) ?? [];
    const drawn = [...picture.matchAll(/(?<=^ *(?:[a-z]+\/ +)*)([a-z]+)\//gm)];
    expect(drawn.map(([, name]) => name)).toEqual(rows.toReversed().flat());
  });

  it.each([
    ['lets a row import the rows below it', of('coordinator/run.ts', 'db/open-database.ts'), true],
    ['lets a folder import itself', of('llm/providers/openai.ts', 'llm/provider.ts'), true],
    [
      'lets the coordinator import a package',
      of('coordinator/graph.ts', '@langchain/langgraph'),
      true,
    ],
    ['refuses an import upwards', of('db/migrations.ts', 'broker/intent/journal.ts'), false],
    [
      'refuses an import upwards that is only of types',
      of('contract/errors.ts', 'events/bus.ts', 'type'),
      false,
    ],
    [
      'refuses an import upwards that is dynamic',
      of('tools/tool.ts', 'app/open-capstan.ts', 'dynamic'),
      false,
    ],
    ['refuses a neighbour of the same row', of('policy/trust.ts', 'tools/tool.ts'), false],
    [
      'lets a folder of the broker import one below it',
      of('broker/calls/tool.ts', 'broker/questions/ask.ts'),
      true,
    ],
    [
      'refuses an import upwards inside the broker, also of types',
      of('broker/intent/scope.ts', 'broker/recall/recall.ts', 'type'),
      false,
    ],
    [
      'refuses neighbours inside the broker',
      of('broker/money/reserve.ts', 'broker/recall/recall.ts'),
      false,
    ],
    [
      'refuses the entry of the broker to its folders',
      of('broker/calls/tool.ts', 'broker/answer.ts'),
      false,
    ],
    [
      'refuses a folder of the broker that has no row',
      of('broker/extras/colour.ts', 'broker/intent/record.ts'),
      false,
    ],
    ['refuses a folder that has no layer', of('extras/colour.ts', 'db/migrations.ts'), false],
    [
      'lets the offline provider import the offline rules',
      of('llm/offline/make-plan.ts', '../offline/plan/plan-task.ts'),
      true,
    ],
    [
      'refuses anything else that imports the offline rules',
      of('registry/store.ts', '../offline/task-error.ts'),
      false,
    ],
    [
      'lets the SDK import types of the protocol',
      of('runtime/capsule/sdk.ts', 'contract/wire/protocol.ts', 'type'),
      true,
    ],
    [
      'refuses an SDK that imports code of the protocol',
      of('runtime/capsule/sdk.ts', 'contract/wire/protocol.ts'),
      false,
    ],
    ['refuses an SDK that imports a package', of('runtime/capsule/sdk.ts', 'zod'), false],
  ])('%s', (_behaviour, one, isAllowed) => {
    expect(forbiddenImports([one])).toEqual(isAllowed ? [] : [`${one.from} → ${one.to}`]);
  });

  it('sees imports, re-exports, types, bare imports, imports over several lines and dynamic ones', () => {
    const text = [
      "import { a } from './a.ts';",
      "import type { B } from '../db/b.ts';",
      "import 'zod';",
      "export { c } from './c.ts';",
      "import {\n  d,\n  type E,\n} from './d.ts';",
      "const f = await import('../f.ts');",
      "import * as z from 'zod';",
    ].join('\n');
    expect(importsOf('cli/x.ts', text).map(({ to, kind }) => `${kind} ${to}`)).toEqual([
      'static cli/a.ts',
      'type db/b.ts',
      'static zod',
      'static cli/c.ts',
      'static cli/d.ts',
      'dynamic f.ts',
      'static zod',
    ]);
  });
});

it('the package of offline rules imports nothing but Node', () => {
  const folder = join(import.meta.dirname, '../offline');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  const foreign = files.flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const targets = [...text.matchAll(/from '([^']+)'/g)].map(([, target = '']) => target);
    const isOwn = (target: string) =>
      target.startsWith('node:') ||
      !relative(folder, resolve(folder, dirname(name), target)).startsWith('..');
    return targets.filter((target) => !isOwn(target)).map((target) => `${name} → ${target}`);
  });
  expect(files.length).toBeGreaterThan(20);
  expect(foreign).toEqual([]);
});
