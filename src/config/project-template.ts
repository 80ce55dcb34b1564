import type { Setting } from './setting.ts';
import { settingGroups, settingOf } from './setting-table.ts';

/** A `capstan.yaml` with every setting that a project may make, each commented out at its default. */
export function renderProjectTemplate(): string {
  const chapters = settingGroups.map(({ title, names }) => ({
    title,
    settings: names.map(settingOf).filter(({ yaml, project }) => yaml && project.may !== 'never'),
  }));
  return [
    '# Settings of this project. They count once a person has accepted the file: `capstan config trust`.',
    '# What is marked "stricter" may only tighten what that person allows. Keys, providers, places and',
    '# hosts are never taken from here. All settings: docs/settings.md.',
    ...chapters.filter(({ settings }) => settings.length > 0).flatMap(renderChapter),
    '',
  ].join('\n');
}

function renderChapter(chapter: {
  title: string;
  settings: readonly Setting<unknown>[];
}): string[] {
  const lines = ['', `# ${chapter.title}`];
  let lastGroup = '';
  for (const setting of chapter.settings) {
    const [group = '', member] = (setting.yaml ?? '').split('.');
    const mark = setting.project.may === 'stricter' ? ' [stricter]' : '';
    const value = `${member ?? group}: ${setting.fallback ?? ''}`.trimEnd();
    if (member !== undefined && group !== lastGroup) lines.push(`# ${group}:`);
    lines.push(`#${member === undefined ? '' : '  '} # ${setting.summary}${mark}`);
    lines.push(`#${member === undefined ? '' : '  '} ${value}`);
    lastGroup = member === undefined ? '' : group;
  }
  return lines;
}
