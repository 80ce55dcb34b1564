import type { ArchivedCapsule } from '../../../app/capsules/share/import-capsule.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { describeGrant } from '../../capsule/capsule-document.ts';
import { formatBytes, formatTable } from '../../format.ts';

/** What an import would install: grants, manifest, overlay and files, all escaped. */
export function archiveText(archived: ArchivedCapsule, source: string): string {
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
  const table = files.map((file) => [
    `  ${file.path}`,
    formatBytes(file.content.length),
    file.sha256.slice(0, 16),
    file.isExecutable ? 'executable' : '',
  ]);
  return [
    facts,
    `\nGrants\n${grantsText(manifest.grants)}`,
    `\nFiles\n${formatTable(table)}`,
    `\nmanifest.json\n${quoted(JSON.stringify(manifest, undefined, 2))}`,
    `\nskill.md\n${overlay ? quoted(overlay) : '  none\n'}`,
    '\n',
  ].join('');
}

function grantsText({ tools, services }: ArchivedCapsule['manifest']['grants']): string {
  const rows = Object.entries(tools).map(([tool, grant]) => [
    `  ${escapeText(tool)}`,
    escapeText(describeGrant(grant)),
  ]);
  const paid = services.map((service) => [`  ${escapeText(service)}`, 'a paid service']);
  return rows.length + paid.length > 0 ? formatTable([...rows, ...paid]) : '  nothing\n';
}

const quoted = (text: string): string =>
  `${escapeText(text.trimEnd(), true).replace(/^/gm, '  │ ')}\n`;
