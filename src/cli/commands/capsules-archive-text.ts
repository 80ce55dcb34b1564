import { escapeText } from '../../contract/text/escape-text.ts';
import type { CapsuleArchive } from '../../registry/archive/capsule-archive.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import { isShippedCode } from '../../registry/manifest/shipped-code.ts';
import { formatBytes, formatTable } from '../format.ts';
import { describeGrant } from './capsules-inspect.ts';

/** All that a person agrees to by importing an archive: grants, manifest, overlay and files, everything in it escaped. */
export function archiveText(
  { files, sha256 }: CapsuleArchive,
  capsule: Capsule,
  source: string,
): string {
  const { id, manifest, overlay } = capsule;
  const bytes = files.reduce((sum, { content }) => sum + content.length, 0);
  const runs = isShippedCode(capsule)
    ? "Capstan's own program alone"
    : 'a program of its own, which you have to trust as far as its grants and the sandbox let it';
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
    `\nMay ask for\n${grantsText(manifest.grants)}`,
    `\nFiles\n${formatTable(table)}`,
    `\nmanifest.json\n${quoted(JSON.stringify(manifest, undefined, 2))}`,
    `\nskill.md\n${overlay ? quoted(overlay.text) : '  none\n'}`,
    '\n',
  ].join('');
}

function grantsText({ tools, services }: Capsule['manifest']['grants']): string {
  const rows = Object.entries(tools).map(([tool, grant]) => [
    `  ${escapeText(tool)}`,
    escapeText(describeGrant(grant)),
  ]);
  const paid = services.map((service) => [
    `  ${escapeText(service)}`,
    'a service that you pay for',
  ]);
  return rows.length + paid.length > 0 ? formatTable([...rows, ...paid]) : '  nothing\n';
}

const quoted = (text: string): string =>
  `${escapeText(text.trimEnd(), true).replace(/^/gm, '  │ ')}\n`;
