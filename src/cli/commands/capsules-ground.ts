import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AppError } from '../../errors.ts';
import type { Capsule, readCapsule } from '../../registry/capsule-store.ts';
import type { CommandArguments, CommandIo } from '../command.ts';

/** What the subcommands of `capsules` work with. */
export interface CapsulesHere {
  readonly capsules: readonly Capsule[];
  readonly readCapsule: typeof readCapsule;
  readonly args: CommandArguments;
  readonly io: CommandIo;
  /** `agents/` of the person's data folder: own capsules, and every capsule's memory. */
  readonly personal: string;
  readonly archive: string;
  readonly stateDir: string;
}

/**
 * The capsule that is named.
 *
 * @throws AppError `CAPSULE_UNKNOWN`; of one's own that is broken, what is wrong with it.
 */
export function findCapsule({
  capsules,
  args,
  personal,
  readCapsule: read,
}: CapsulesHere): Capsule {
  const [id = ''] = args.positionals;
  const capsule = capsules.find((one) => one.id === id);
  if (capsule) return capsule;
  const dir = join(personal, id);
  if (/^[\w-]+$/.test(id) && basename(dir) === id && existsSync(join(dir, 'manifest.json')))
    return read(dir, 'personal');
  throw new AppError('CAPSULE_UNKNOWN', { id, known: capsules.map((one) => one.id) });
}
