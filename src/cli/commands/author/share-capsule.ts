import type { ArchivedCapsule } from '../../../app/capsules/share/capsule-archives.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { printable } from '../../../contract/text/printable.ts';
import type { CommandDefinition } from '../../command.ts';
import { adviseOnField } from '../../errors/advise-on-field.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { isAgreed } from '../../io/confirm.ts';
import { writeExport } from '../../io/write-file-atomic.ts';
import { projectOptions, standard } from '../../options/standard-options.ts';
import { grantRows } from '../../text/capsule-document.ts';
import { formatBytes, formatTable, titled } from '../../text/format.ts';
import { quotedText } from '../../text/quoted-text.ts';
import { withCapstan } from '../../with-capstan.ts';

export const capsulesExport: CommandDefinition = {
  name: 'export',
  summary: 'Write a capsule, without its memory, to one file',
  arguments: '<capsule>',
  options: { ...standard.out, ...projectOptions, ...standard.json },
  examples: [
    'capstan capsules export mine',
    'capstan capsules export ./agents/mine --out - > mine.json',
  ],
  run: withCapstan(async ({ capstan, io, named, isJson, text: option, capsuleOptions }) => {
    const exported = await capstan.capsules.export(named, capsuleOptions);
    const { id, text, sha256, files } = exported;
    const path = writeExport(text, option('out') ?? `${id}.capsule.json`, io);
    if (path === undefined) return exitCodes.completed;
    const bytes = Buffer.byteLength(text);
    if (!isJson) io.stderr(`${formatBytes(bytes)}: ${files} files, SHA-256 ${sha256}\n`);
    return { json: { exported: id, path, files, bytes, sha256 }, text: `${path}\n` };
  }),
};

export const capsulesImport: CommandDefinition = {
  name: 'import',
  summary: 'Import a capsule from a file or a folder',
  arguments: '<path>',
  options: {
    '--as <id>': 'import it under this id (default: its own)',
    ...standard.yes,
    ...standard.json,
  },
  examples: [
    'capstan capsules import mine.capsule.json',
    'capstan capsules import ./agents/mine --as theirs',
  ],
  run: withCapstan(async (context) => {
    const { capstan, io, named: path, text, capsuleOptions } = context;
    const options = { ...capsuleOptions, as: text('as') };
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

/** Describes an import before it is done: grants, manifest, overlay and files, all escaped. */
function archiveText(archived: ArchivedCapsule, source: string): string {
  const { id, manifest, overlay, files, sha256 } = archived;
  const bytes = files.reduce((sum, { content }) => sum + content.length, 0);
  const runs = archived.runsShippedCode
    ? "only Capstan's own program"
    : 'its own program, limited only by its grants and the sandbox';
  const facts = formatTable([
    ['capsule', `${id} ${manifest.version} (${escapeText(manifest.name)})`],
    ['from', `${source}: ${files.length} files, ${formatBytes(bytes)}`],
    ['sha256', sha256],
    ['runs', `${runs}: ${manifest.entrypoint.map((word) => escapeText(word)).join(' ')}`],
  ]);
  const table = files.map(({ path, content, sha256: hash, isExecutable }) => [
    `  ${path}`,
    formatBytes(content.length),
    hash.slice(0, 16),
    isExecutable ? 'executable' : '',
  ]);
  const parts = [
    titled('Grants', grantsText(manifest.grants)),
    titled('Files', formatTable(table)),
    titled('manifest.json', `${quotedText(JSON.stringify(manifest, undefined, 2))}\n`),
    titled('skill.md', overlay ? `${quotedText(overlay.trimEnd())}\n` : '  none\n'),
  ];
  return `${facts}${parts.join('')}\n`;
}

function grantsText(grants: ArchivedCapsule['manifest']['grants']): string {
  const paid = grants.services.map((service) => [`  ${escapeText(service)}`, 'a paid service']);
  return formatTable([...grantRows(grants), ...paid]) || '  nothing\n';
}
