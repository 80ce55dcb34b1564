import type { Approval } from '../../broker/approvals.ts';
import { escapeText } from '../../config/escape-text.ts';
import { installFolder } from '../../config/install-folder.ts';
import { loadSettings } from '../../config/load-settings.ts';
import type { Stores } from '../../coordinator/open-stores.ts';
import { AppError } from '../../errors.ts';
import type { CommandArguments, CommandIo } from '../command.ts';

/** What every command about questions works with. */
export interface Here {
  readonly stores: Stores;
  readonly args: CommandArguments;
  readonly io: CommandIo;
}

/** Opens the database for one command. */
export async function withApprovals(
  args: CommandArguments,
  io: CommandIo,
  body: (here: Here) => number | Promise<number>,
): Promise<number> {
  const { environment, cwd } = io;
  const { settings } = await loadSettings({ environment, cwd, installFolder: installFolder() });
  const { openStores } = await import('../../coordinator/open-stores.ts');
  const stores = openStores(settings.places.stateDir);
  try {
    return await body({ stores, args, io });
  } finally {
    stores.close();
  }
}

/**
 * The question of that id, or the only one whose id begins like this.
 *
 * @throws AppError `APPROVAL_UNKNOWN`; `USAGE` where several fit.
 */
export const findApproval = ({ approvals }: Stores, id: string): Approval =>
  onlyOne(id, isPrefix(id) ? approvals.startingWith(id.toLowerCase()) : []);

/** The one row that a prefix means. */
export function onlyOne<Row extends { readonly id: string }>(
  id: string,
  found: readonly Row[],
): Row {
  const [first, second] = found;
  if (!first) throw new AppError('APPROVAL_UNKNOWN', { id: escapeText(id) });
  if (second) {
    const ids = found.map((row) => row.id).join(', ');
    throw new AppError('USAGE', { problem: `Several begin with "${id}": ${ids}.` });
  }
  return first;
}

/** Whether a text may begin an id. */
export const isPrefix = (id: string): boolean => /^[0-9a-f-]{4,36}$/i.test(id);
