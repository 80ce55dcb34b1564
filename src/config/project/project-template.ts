import type { Setting } from '../setting.ts';
import { settingGroups, settingOf } from '../setting-table.ts';

/** A `capstan.yaml` with every setting that a project may have, commented out, with its default. */
export function renderProjectTemplate(): string {
  const chapters = settingGroups.map(({ title, names }) => ({
    title,
    settings: names.map(settingOf).filter(({ yaml, project }) => yaml && project.may !== 'never'),
  }));
  return [
    '# Settings of this project. They apply once you have trusted the file.',
    '# A setting marked "stricter" may only be stricter than your own. Keys, providers, folders and',
    '# hosts are never read from here. All settings: docs/settings.md.',
    ...chapters.filter(({ settings }) => settings.length > 0).flatMap(renderChapter),
    '',
  ].join('\n');
}

interface Chapter {
  readonly title: string;
  readonly settings: readonly Setting<unknown>[];
}

function renderChapter({ title, settings }: Chapter): string[] {
  const lines = settings.map(renderSetting);
  const isFirstOf = (group: string | undefined, index: number) =>
    group !== undefined && lines.findIndex((line) => line.group === group) === index;
  return [
    '',
    `# ${title}`,
    ...lines.flatMap(({ group, text }, index) =>
      isFirstOf(group, index) ? [`# ${group}:`, ...text] : text,
    ),
  ];
}

function renderSetting({ yaml = '', summary, fallback = '', project }: Setting<unknown>) {
  const [first = '', member] = yaml.split('.');
  const indent = member === undefined ? '' : '  ';
  const mark = project.may === 'stricter' ? ' [stricter]' : '';
  return {
    group: member === undefined ? undefined : first,
    text: [
      `# ${indent}# ${summary}${mark}`,
      `# ${indent}${member ?? first}: ${fallback}`.trimEnd(),
    ],
  };
}
