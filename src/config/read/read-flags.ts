import { settingNames, settingOf } from '../setting-table.ts';
import type { Given, Source } from './given.ts';

/** Settings among the parsed options of a command; other options are left alone. */
export function readFlags(options: Readonly<Record<string, unknown>>, cwd: string): Source {
  const givens = settingNames.flatMap((name): Given[] => {
    const { option } = settingOf(name);
    if (option === undefined || !Object.hasOwn(options, option)) return [];
    const value = options[option];
    if (value === undefined) return [];
    return [
      { name, raw: String(value), layer: 'flag', spelled: option, file: undefined, folder: cwd },
    ];
  });
  return { givens, problems: [], notices: [] };
}
