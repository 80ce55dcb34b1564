import { join } from 'node:path';
import { projectAgentsFolder } from '../../config/agent-folders.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { shortTime } from '../../contract/text/short-time.ts';
import type { CapsuleFigures, VersionFigures } from '../../registry/capsule-metrics.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { Quarantined } from '../../registry/quarantine.ts';
import type { CommandDefinition } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatTable } from '../format.ts';
import { printJson } from '../print-json.ts';
import { shorten } from '../shorten.ts';
import {
  type CapsulesHere,
  findCapsule,
  jsonOption,
  projectOptions,
  withCapsules,
} from './capsules-ground.ts';
import {
  figureCells,
  figureColumns,
  figuresDocument,
  quarantineDocument,
  withRecordsIfAny,
} from './capsules-records.ts';

export const capsulesInspect: CommandDefinition = {
  name: 'inspect',
  summary: 'Show one capsule: what it is for, may use and knows, and how it fared',
  arguments: '<id>',
  options: [...projectOptions, jsonOption],
  examples: ['capstan capsules inspect log-analyst', 'capstan capsules inspect mine --json'],
  run: withCapsules(inspect),
};

async function inspect(here: CapsulesHere): Promise<number> {
  const { args, io, personal, stateDir, loaded } = here;
  const capsule = findCapsule(here);
  const { places, workspace } = loaded.settings;
  const home = capsule.origin === 'project' ? projectAgentsFolder(places, workspace) : personal;
  const { countMemories } = await import('../../memory/open-memory.ts');
  const { overlayVersion } = await import('../../registry/capsule-metrics.ts');
  const seen = await withRecordsIfAny(stateDir, (records) => ({
    capsule,
    memories: countMemories(join(home, capsule.id, 'memory.db')),
    overlayVersion: overlayVersion(capsule.overlay),
    figures: records?.metrics.of(capsule),
    versions: records?.metrics.versionsOf(capsule) ?? [],
    held: records?.quarantine.find(capsule),
  }));
  if (args.options['json'] === true) printJson(io, documentOf(seen));
  else io.stdout(textOf(seen));
  return exitCodes.completed;
}

interface Seen {
  readonly capsule: Capsule;
  /** Items. */
  readonly memories: number;
  readonly overlayVersion: string;
  readonly figures: CapsuleFigures | undefined;
  readonly versions: readonly VersionFigures[];
  readonly held: Quarantined | undefined;
}

const documentOf = ({ capsule, memories, overlayVersion, figures, versions, held }: Seen) => ({
  ...summaryOf(capsule),
  status: held ? 'quarantined' : 'ready',
  quarantine: quarantineDocument(held),
  dir: capsule.dir,
  hash: capsule.hash,
  memories,
  overlay: capsule.overlay?.path ?? null,
  overlay_version: overlayVersion,
  metrics: figuresDocument(figures),
  versions: versions.map((one) => ({ version: one.version, ...figuresDocument(one) })),
  manifest: capsule.manifest,
});

function textOf(seen: Seen): string {
  const { manifest } = seen.capsule;
  const grants = Object.entries(manifest.grants.tools).map(([tool, grant]) => [
    `  ${escapeText(tool)}`,
    escapeText(describeGrant(grant)),
  ]);
  const kinds = manifest.task_kinds.flatMap(({ name, mode, description, examples }) => [
    [`  ${name}`, mode, shorten(description, 100)],
    ...examples.map((example) => ['', '', `“${shorten(example, 90)}”`]),
  ]);
  return [
    factsOf(seen),
    `\n${escapeText(manifest.description)}\n`,
    `\nMay ask for\n${grants.length > 0 ? formatTable(grants) : '  no tool\n'}`,
    `\nTask kinds\n${formatTable(kinds)}`,
    `\nHow it fared, by version of its overlay\n${versionsText(seen)}`,
  ].join('');
}

function factsOf({ capsule, memories, overlayVersion, held }: Seen): string {
  const { id, origin, dir, hash, manifest, overlay } = capsule;
  const since = held && `${escapeText(held.reason)} (since ${shortTime(held.heldAt)})`;
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

function versionsText({ versions, overlayVersion }: Seen): string {
  if (versions.length === 0) return '  never used\n';
  const rows = versions.map((one) => [
    `  ${one.version.slice(0, VERSION_DIGITS)}${one.version === overlayVersion ? ' (now)' : ''}`,
    ...figureCells(one),
    shortTime(one.lastUsedAt),
  ]);
  return formatTable([['  version', ...figureColumns, 'last used'], ...rows]);
}

/** A capsule in brief, for JSON. */
export const summaryOf = ({ id, origin, manifest }: Capsule) => ({
  id,
  name: manifest.name,
  origin,
  version: manifest.version,
  description: manifest.description,
  task_kinds: manifest.task_kinds.map(({ name, mode }) => ({ name, mode })),
  tools: Object.keys(manifest.grants.tools),
  skills: manifest.skills,
});

/** `operations: read · paths: src/**`. */
export function describeGrant(grant: Capsule['manifest']['grants']['tools'][string]): string {
  const parts = Object.entries(grant).map(
    ([what, patterns]) => `${what}: ${(patterns ?? []).join(', ')}`,
  );
  return parts.join(' · ') || 'nothing but the tool itself';
}
