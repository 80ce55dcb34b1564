import type { LoadedSettings } from '../../config/settings.ts';
import { messageOf } from '../../contract/errors.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../command.ts';
import { type Check, fail, ok } from '../doctor/check.ts';
import { printJson } from '../print-json.ts';

export const command: CommandDefinition = {
  name: 'doctor',
  summary: 'Check what is there, what is missing, and how to fix it',
  options: [
    { flags: '-w, --workspace <dir>', description: 'the folder whose settings to check' },
    {
      flags: '--isolation',
      description: 'let children try to get out of the sandbox, and say what each could do',
    },
    { flags: '--json', description: 'print one JSON document' },
  ],
  examples: [
    'capstan doctor',
    'capstan doctor --isolation',
    'capstan doctor --workspace ../shop --json',
  ],
  run: examine,
};

async function examine({ options }: CommandArguments, io: CommandIo): Promise<number> {
  if (options['isolation'] === true) return tryIsolation(options, io);
  const checks = await runChecks(options, io);
  const isHealthy = checks.every(({ status }) => status !== 'fail');
  const document = { ok: isHealthy, checks };
  if (options['json'] === true) printJson(io, document);
  else io.stdout(asText(checks));
  return isHealthy ? 0 : 1;
}

/** 0 where the level in force keeps what it promises. */
async function tryIsolation(
  { isolation: _, ...options }: CommandArguments['options'],
  io: CommandIo,
): Promise<number> {
  const { findPlaces, makePlaces } = await import('../../config/places.ts');
  const { installFolder } = await import('../../config/install-folder.ts');
  const { isKept, isolationText, reportIsolation } = await import('../doctor/check-isolation.ts');
  const loaded = await tryLoad(options, io, installFolder());
  if (loaded instanceof Error) throw loaded;
  makePlaces(findPlaces(io.environment, io.cwd));
  const report = await reportIsolation(loaded.settings);
  const isGood = isKept(report);
  if (options['json'] === true) printJson(io, { ok: isGood, ...report });
  else io.stdout(isolationText(report));
  return isGood ? 0 : 1;
}

async function runChecks(options: CommandArguments['options'], io: CommandIo): Promise<Check[]> {
  const { findPlaces } = await import('../../config/places.ts');
  const { installFolder } = await import('../../config/install-folder.ts');
  const programs = await import('../doctor/check-programs.ts');
  const storage = await import('../doctor/check-storage.ts');
  const packageDir = installFolder();
  const loaded = await tryLoad(options, io, packageDir);
  const places = findPlaces(io.environment, io.cwd);
  return [
    programs.checkNode(process.versions.node),
    programs.checkBuild(packageDir),
    ...describeSettings(loaded),
    ...storage.checkPlaces(places),
    ...(await storage.checkDatabase(places)),
    ...(loaded instanceof Error ? [] : await checkModels(loaded, packageDir)),
    ...(loaded instanceof Error ? [] : [await checkSandbox(loaded)]),
    ...(await programs.checkPrograms(io.environment)),
    programs.checkTerminal(io.isTerminal),
  ];
}

async function tryLoad(
  flags: CommandArguments['options'],
  { environment, cwd }: CommandIo,
  packageDir: string,
): Promise<LoadedSettings | Error> {
  const { loadSettings } = await import('../../config/load-settings.ts');
  try {
    return await loadSettings({ flags, environment, cwd, installFolder: packageDir });
  } catch (error) {
    return error instanceof Error ? error : new Error(messageOf(error));
  }
}

async function checkModels({ settings }: LoadedSettings, packageDir: string): Promise<Check[]> {
  const models = await import('../doctor/check-models.ts');
  return [
    await models.checkEmbedder(settings, packageDir),
    ...(await models.checkProviders(settings)),
  ];
}

async function checkSandbox({ settings }: LoadedSettings): Promise<Check> {
  const { checkIsolation } = await import('../doctor/check-isolation.ts');
  return checkIsolation(settings);
}

function describeSettings(loaded: LoadedSettings | Error): Check[] {
  if (loaded instanceof Error)
    return [fail('settings', loaded.message, 'Correct each value that is named.')];
  return [
    ok('settings', 'valid; `capstan config` shows them'),
    // A notice says itself what to do.
    ...loaded.notices.map(
      (found): Check => ({ name: 'notice', status: 'warn', found, fix: undefined }),
    ),
  ];
}

function asText(checks: readonly Check[]): string {
  const widest = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.flatMap(({ name, status, found, fix }) => [
    `${status.padEnd(4)}  ${name.padEnd(widest)}  ${found}`,
    ...(fix === undefined ? [] : [`${' '.repeat(widest + 8)}→ ${fix}`]),
  ]);
  const failed = checks.filter(({ status }) => status === 'fail').length;
  const end =
    failed === 0
      ? 'Nothing that is needed is missing.'
      : `${failed} to fix before Capstan can work.`;
  return `${lines.join('\n')}\n\n${end}\n`;
}
