import { escapeText } from '../../contract/text/escape-text.ts';
import { printable } from '../../contract/text/printable.ts';
import type { CommandDefinition } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { printJson } from '../print-json.ts';
import {
  type CapsulesHere,
  findCapsule,
  jsonOption,
  projectOptions,
  withCapsules,
} from './capsules-ground.ts';
import { PERSON, withRecords } from './capsules-records.ts';

export const capsulesQuarantine: CommandDefinition = {
  name: 'quarantine',
  summary: 'Keep a capsule from being chosen until you restore it',
  arguments: '<id>',
  options: [
    { flags: '--reason <text>', description: 'why, for whoever looks at it later' },
    ...projectOptions,
    jsonOption,
  ],
  examples: ['capstan capsules quarantine mine --reason "it invents figures"'],
  run: withCapsules(quarantine),
};

async function quarantine(here: CapsulesHere): Promise<number> {
  const { args, io, stateDir } = here;
  const capsule = findCapsule(here);
  const given = args.options['reason'];
  const reason =
    typeof given === 'string' && given.trim() !== '' ? given.trim() : 'put there by hand';
  const said = printable(reason, 500);
  await withRecords(stateDir, (records) =>
    records.write(() => records.quarantine.hold(capsule, { reason: said, actor: PERSON })),
  );
  const { id } = capsule;
  if (args.options['json'] === true) printJson(io, { quarantined: id, reason: said });
  else
    io.stdout(
      `"${escapeText(id)}" is chosen for nothing any more. Take it back: capstan capsules restore ${id}\n`,
    );
  return exitCodes.completed;
}
