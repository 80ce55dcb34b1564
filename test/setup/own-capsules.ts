import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandIo } from '../../src/cli/command.ts';
import { command } from '../../src/cli/commands/capsules/capsules.ts';
import { ioOf } from '../programs/recorded-io.ts';
import { plainManifest } from './temporary-capsules.ts';
import type { Person } from './temporary-person.ts';

/** A person's own capsules, and `capstan capsules` run on them inside this process. */
export interface OwnCapsules {
  /** A path below their `agents/`. */
  own(path?: string): string;
  /** Writes a capsule that does nothing, its manifest changed as given. */
  writeOwn(id: string, changes?: Readonly<Record<string, unknown>>): void;
  run(
    name: string,
    positionals?: string[],
    options?: Record<string, unknown>,
    changes?: Partial<CommandIo>,
  ): Promise<{
    /** The exit code, or the thrown error. */
    readonly code: unknown;
    readonly out: string;
    readonly errors: string;
  }>;
}

export function ownCapsulesOf(person: Person): OwnCapsules {
  const own = (path = '') => join(person.home, 'data/agents', path);
  return {
    own,
    writeOwn(id, changes = {}) {
      mkdirSync(own(id), { recursive: true });
      const manifest = { ...plainManifest(id), ...changes };
      writeFileSync(join(own(id), 'manifest.json'), JSON.stringify(manifest));
      writeFileSync(join(own(id), 'entrypoint.cjs'), 'require(process.env.CAPSTAN_SDK).start();');
    },
    async run(name, positionals = [], options = {}, changes = {}) {
      const io = ioOf({ environment: person.environment, cwd: person.project }, changes);
      const subcommand = command.subcommands?.find((one) => one.name === name);
      const code = await subcommand
        ?.run({ positionals, options }, io)
        .catch((error: unknown) => error);
      return { code, out: io.out(), errors: io.errors() };
    },
  };
}

/** The part of the details of a question about changed files that shows the change. */
export const changeIn = (details: string | undefined): string | undefined =>
  details?.slice(details.indexOf('\n\n') + 2, details.indexOf('\ngranted by its manifest:'));
