import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flagOf } from '../../src/cli/options/standard-options.ts';
import type { Setting } from '../../src/config/setting.ts';
import { type SettingName, settingGroups, settingOf } from '../../src/config/setting-table.ts';

const root = join(import.meta.dirname, '../..');

/** `docs/settings.md`, from the table of settings. */
export function renderSettingsPage(): string {
  return `${introduction}${settingGroups.map(renderChapter).join('')}`;
}

/** `.env.example`: every setting that may be in the user's \`.env\`, commented out, with its default. */
export function renderEnvExample(): string {
  const chapters = settingGroups.flatMap(({ title, names }) => {
    const entries = names
      .filter((name) => settingOf(name).yaml !== undefined)
      .map((name) => {
        const { summary, fallback = '', kind } = settingOf(name);
        return `# ${plain(summary)}\n# Value: ${kind.expects}.\n#${name}=${fallback}\n`;
      });
    return entries.length > 0 ? [`\n# --- ${title} ---\n\n${entries.join('\n')}`] : [];
  });
  return `${envIntroduction}${chapters.join('')}`;
}

const introduction = `# Settings

<!-- Written by scripts/pages/write-settings-docs.ts from the table in src/config. Change it there. -->

Every setting has a name in the environment, most have a place in YAML, some have a flag. \`capstan config\` shows the
effective values and their sources. Invalid values and unknown names prevent the start, and all of them are reported
together. In the environment, \`CAPSTAN_\` names that resemble no setting are only reported: they may belong to another program.

## Precedence

Highest first:

1. flags,
2. the environment (an empty variable counts as not set),
3. a trusted project's \`capstan.yaml\`,
4. your own \`.env\`, then your own \`config.yaml\`,
5. the default.

## Locations

| what | where | with \`CAPSTAN_HOME=DIR\` |
|---|---|---|
| settings, keys, rules, trust | \`$XDG_CONFIG_HOME/capstan\` (\`~/.config/capstan\`): \`config.yaml\`, \`.env\`, \`policy.yaml\`, \`trust.json\` | \`DIR/config\` |
| your capsules, every capsule's memory and logs | \`$XDG_DATA_HOME/capstan\` (\`~/.local/share/capstan\`) | \`DIR/data\` |
| database, run logs, artifacts | \`$XDG_STATE_HOME/capstan\` (\`~/.local/state/capstan\`) | \`DIR/state\` |
| downloads, code cache | \`$XDG_CACHE_HOME/capstan\` (\`~/.cache/capstan\`) | \`DIR/cache\` |

Folders are created with mode 0700 and files with 0600, when they are needed; Capstan warns if other users can read them.

## What a project may set

A project's files (\`capstan.yaml\`, \`capstan.policy.yaml\`, \`agents/\` without the cases of capsules, \`skills/\`, \`AGENTS.md\`) are ignored until you accept
them: \`capstan config trust\` shows them and records their hashes. A file that changes or appears later is ignored again
until you accept it too; \`capstan config trust\` then shows the difference. \`capstan config init\` trusts only the file that it writes; \`--trust-project\` accepts all of them for one
command, for CI. A project's \`.env\` is never read. The column *project* says what a trusted \`capstan.yaml\` may do:

| | |
|---|---|
| never | only you can set it; a project that sets it causes an error |
| stricter | used if it is stricter than your own value, otherwise ignored with a notice |
| any | used |
`;

const envIntroduction = `# Your own settings and keys. Copy this to ~/.config/capstan/.env (or $CAPSTAN_HOME/config/.env),
# give it mode 0600, and remove the # before each value that you set. Never put it into a project: Capstan
# reads no .env there. Written by scripts/pages/write-settings-docs.ts from the table in src/config.
`;

function renderChapter({ title, names }: { title: string; names: readonly SettingName[] }): string {
  const rows = names.map((name) => renderRow(name, settingOf(name)));
  return [
    '',
    `## ${title}`,
    '',
    '| name | in YAML | default | value | project | what it is for |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function renderRow(name: SettingName, setting: Setting<unknown>): string {
  const { yaml, fallback, kind, project, summary, aliases, option, isSecret } = setting;
  const cells = [
    [name, ...aliases].map(code).join(' or ') + (option ? `<br>${code(flagOf(option))}` : ''),
    yaml ? code(yaml) : '–',
    fallback ? code(fallback) : '–',
    kind.expects,
    project.may === 'stricter' ? `stricter: ${project.sense}` : project.may,
    summary + (isSecret ? ' It is a secret: always shown masked.' : ''),
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('*.', '\\*.')).join(' | ')} |`;
}

const code = (text: string): string => `\`${text}\``;
const plain = (markdown: string): string => markdown.replaceAll('`', '');

if (process.argv[1] === import.meta.filename) {
  writeFileSync(join(root, 'docs/settings.md'), renderSettingsPage());
  writeFileSync(join(root, '.env.example'), renderEnvExample());
}
