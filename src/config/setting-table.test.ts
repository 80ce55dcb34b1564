import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { renderEnvExample, renderSettingsPage } from '../../scripts/pages/write-settings-docs.ts';
import { type Person, temporaryPerson } from '../../test/setup/temporary-person.ts';
import { PROJECT_TEMPLATE } from './project/project-template.ts';
import { settingGroups, settingNames, settingOf } from './setting-table.ts';

const root = join(import.meta.dirname, '../..');
const uncommented = (text: string) => text.replaceAll(/^#(?=[A-Z_]+=)/gm, '');

describe('the table of settings', () => {
  it('has each name in one chapter', () => {
    expect(settingGroups.flatMap(({ names }) => names)).toEqual(settingNames);
  });

  it('has each place in YAML once, and no place that is a group too', () => {
    const paths = settingNames.flatMap((name) => settingOf(name).yaml ?? []);
    expect(new Set(paths).size).toBe(paths.length);
    const groups = paths.flatMap((path) => (path.includes('.') ? [path.split('.')[0]] : []));
    expect(paths.filter((path) => groups.includes(path))).toEqual([]);
  });

  it('allows no project to set a key, an address, a provider, a place or a path', () => {
    const own = settingNames.filter((name) =>
      /KEY|URL|ORG_ID|PROVIDER|HOME|WORKSPACE|DIR|PATHS|HOSTS|ORIGINS|PROXY|READ|CERTS/.test(name),
    );
    expect(own.filter((name) => settingOf(name).project.may !== 'never')).toEqual([]);
    expect(own).toHaveLength(21);
  });

  it('allows a project only to tighten gates, budgets, limits and isolation', () => {
    const limits = settingNames.filter((name) =>
      /GATE|MODE$|BUDGET|_SEC$|MAX_|CONCURRENCY|BYTES$|BREAKER|ISOLATION/.test(name),
    );
    const loose = limits.filter((name) => settingOf(name).project.may !== 'stricter');
    expect(loose).toEqual(['CAPSTAN_RUNS_KEEP_BYTES']);
    expect(settingOf('CAPSTAN_RUNS_KEEP_BYTES').project.may).toBe('never');
  });
});

describe('the generated pages', () => {
  let person: Person;
  beforeEach(() => {
    person = temporaryPerson();
  });
  afterEach(() => person.remove());

  it.each([
    ['docs/settings.md', renderSettingsPage],
    ['.env.example', renderEnvExample],
  ] as const)(
    'are up to date: %s (else: npx tsx scripts/pages/write-settings-docs.ts)',
    (path, render) => {
      expect(readFileSync(join(root, path), 'utf8')).toBe(render());
    },
  );

  it('names every setting on the page', () => {
    const page = renderSettingsPage();
    for (const name of settingNames) expect(page).toContain(`\`${name}\``);
  });

  it('is an .env that is taken as it is, and with every line uncommented, and changes nothing', async () => {
    const { settings } = await person.load();
    person.writeOwn('.env', renderEnvExample());
    expect((await person.load()).settings).toEqual(settings);
    const all = uncommented(renderEnvExample());
    expect(new Set(Object.keys(parseEnv(all)))).toEqual(
      new Set(settingNames.filter((name) => settingOf(name).yaml !== undefined)),
    );
    person.writeOwn('.env', all);
    const loaded = await person.load();
    expect(loaded.settings).toEqual({
      ...settings,
      budget: { ...settings.budget, runMicroUsdSetByPerson: true },
    });
  });

  it('is a capstan.yaml that is taken with every line uncommented, and changes nothing', async () => {
    const { settings } = await person.load();
    const uncommentedYaml = PROJECT_TEMPLATE.split('\n')
      .map((line) => (/^# ( *[a-z_]+:)/.test(line) ? line.slice(2) : line))
      .join('\n');
    expect(uncommentedYaml).toMatch(/^budget:\n.*\n {2}run_usd: 1$/m);
    person.writeProject('capstan.yaml', uncommentedYaml);
    const loaded = await person.load({ flags: { trustProject: true } });
    expect(loaded.settings).toEqual(settings);
    expect(loaded.origins.get('CAPSTAN_CONCURRENCY')?.layer).toBe('project');
  });
});
