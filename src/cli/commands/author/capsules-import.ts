import { printable } from '../../../contract/text/printable.ts';
import type { CommandDefinition } from '../../command.ts';
import { adviseOnField } from '../../errors/advise-on-field.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { isAgreed } from '../../io/confirm.ts';
import { capsuleOptionsOf } from '../../options/capsule-options.ts';
import { standard } from '../../options/standard-options.ts';
import { withCapstan } from '../../with-capstan.ts';
import { archiveText } from './capsules-archive-text.ts';

export const capsulesImport: CommandDefinition = {
  name: 'import',
  topic: 'Share',
  brief: 'from a file or folder',
  summary: 'Import an exported capsule, or a folder, after showing its grants and files',
  arguments: '<path>',
  options: [
    { flags: '--as <id>', description: 'import it under this id (default: its own)' },
    standard.yes,
    standard.json,
  ],
  examples: [
    'capstan capsules import mine.capsule.json',
    'capstan capsules import ./agents/mine --as theirs',
  ],
  run: withCapstan(async (context) => {
    const { capstan, io, named: path, text } = context;
    const options = { ...capsuleOptionsOf(context), as: text('as') };
    const reading = capstan.capsules.readArchive(path, options);
    const archived = await adviseOnField(reading, { id: 'Choose another one with --as <id>.' });
    io.stderr(archiveText(archived, printable(path)));
    const question = `Import "${archived.id}" with these grants and files?`;
    if (!(await isAgreed(context, question, 'Nothing was imported.'))) return exitCodes.failed;
    const { sha256 } = archived;
    const capsule = await capstan.capsules.import(path, { ...options, sha256 });
    const { id, dir, hash, manifest } = capsule;
    return {
      json: { imported: id, dir, hash, grants: manifest.grants },
      text: `Imported "${id}": ${dir}\n`,
    };
  }),
};
