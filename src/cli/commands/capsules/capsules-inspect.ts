import type { CapsuleDetails } from '../../../app/capsules/list-capsules.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { shortTime } from '../../../contract/text/short-time.ts';
import { capsuleDocument, describeGrant, statusDocument } from '../../capsule/capsule-document.ts';
import { figureCells, figureColumns, figuresDocument } from '../../capsule/capsule-figures.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { formatTable } from '../../format.ts';
import { printJson } from '../../io/print-json.ts';
import { capsuleOptionsOf, projectOptions } from '../../options/capsule-options.ts';
import { standard } from '../../options/standard-options.ts';
import { shorten } from '../../text/shorten.ts';
import { withCapstan } from '../../with-capstan.ts';

export const capsulesInspect: CommandDefinition = {
  name: 'inspect',
  topic: 'Look',
  brief: 'grants and figures',
  summary: 'Show one capsule: its purpose, grants, memory and figures',
  arguments: '<capsule>',
  options: [...projectOptions, standard.json],
  examples: ['capstan capsules inspect log-analyst', 'capstan capsules inspect mine --json'],
  run: withCapstan(async ({ capstan, args, io }) => {
    const [id = ''] = args.positionals;
    const details = await capstan.capsules.get(id, capsuleOptionsOf({ args, io }));
    if (args.options['json'] === true) printJson(io, documentOf(details));
    else io.stdout(inspectText(details));
    return exitCodes.completed;
  }),
};

const documentOf = ({ capsule, quarantine, figures, ...details }: CapsuleDetails) => ({
  ...capsuleDocument(capsule),
  ...statusDocument(quarantine),
  dir: capsule.dir,
  hash: capsule.hash,
  memories: details.memories,
  overlay: capsule.overlay?.path ?? null,
  overlay_version: details.overlayVersion,
  metrics: figuresDocument(figures),
  versions: details.versions.map((one) => ({ version: one.version, ...figuresDocument(one) })),
  manifest: capsule.manifest,
});

/** A capsule with its grants, task kinds and figures. All text is escaped. */
export function inspectText(details: CapsuleDetails): string {
  const { manifest } = details.capsule;
  const grants = Object.entries(manifest.grants.tools).map(([tool, grant]) => [
    `  ${escapeText(tool)}`,
    escapeText(describeGrant(grant)),
  ]);
  const kinds = manifest.task_kinds.flatMap(({ name, mode, description, examples }) => [
    [`  ${name}`, mode, shorten(description, 100)],
    ...examples.map((example) => ['', '', `“${shorten(example, 90)}”`]),
  ]);
  return [
    factsOf(details),
    `\n${escapeText(manifest.description)}\n`,
    `\nGrants\n${grants.length > 0 ? formatTable(grants) : '  none\n'}`,
    `\nTask kinds\n${formatTable(kinds)}`,
    `\nUses by version of its overlay\n${versionsText(details)}`,
  ].join('');
}

function factsOf({ capsule, memories, overlayVersion, quarantine }: CapsuleDetails): string {
  const { id, origin, dir, hash, manifest, overlay } = capsule;
  const since =
    quarantine && `${escapeText(quarantine.reason)} (since ${shortTime(quarantine.heldAt)})`;
  const version = overlayVersion.slice(0, VERSION_DIGITS);
  return formatTable([
    ['capsule', id],
    ['name', escapeText(manifest.name)],
    ['origin', origin],
    ...(since === undefined ? [] : [['quarantined', since]]),
    ['version', manifest.version],
    ['folder', dir],
    ['hash', hash.slice(0, 16)],
    ['starts as', manifest.entrypoint.map((word) => escapeText(word)).join(' ')],
    ['skills', manifest.skills.join(', ') || '-'],
    ['overlay', overlay ? `${overlay.path} (${version})` : '-'],
    ['remembers', `${memories} ${memories === 1 ? 'item' : 'items'}`],
  ]);
}

const VERSION_DIGITS = 12;

function versionsText({ versions, overlayVersion }: CapsuleDetails): string {
  if (versions.length === 0) return '  never used\n';
  const rows = versions.map((one) => [
    `  ${one.version.slice(0, VERSION_DIGITS)}${one.version === overlayVersion ? ' (now)' : ''}`,
    ...figureCells(one),
    shortTime(one.lastUsedAt),
  ]);
  return formatTable([['  version', ...figureColumns, 'last used'], ...rows]);
}
