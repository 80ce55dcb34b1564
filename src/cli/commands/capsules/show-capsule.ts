import type { CapsuleDetails } from '../../../app/capsules/list-capsules.ts';
import { withDocumentKeys } from '../../../contract/documents/document-keys.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { shortTime } from '../../../contract/text/short-time.ts';
import type { CommandDefinition } from '../../command.ts';
import { capsuleColumns } from '../../lists/columns/capsule-columns.ts';
import { listText } from '../../lists/list-text.ts';
import { projectOptions, standard } from '../../options/standard-options.ts';
import { figureCells, figureColumns, grantRows } from '../../text/capsule-document.ts';
import { counted, formatTable, headedTable, titled } from '../../text/format.ts';
import { shorten } from '../../text/shorten.ts';
import { withCapstan } from '../../with-capstan.ts';

export const capsulesList: CommandDefinition = {
  name: 'list',
  summary: 'List the capsules and their statistics',
  options: { ...projectOptions, ...standard.json },
  examples: ['capstan capsules list', 'capstan capsules list --json'],
  run: withCapstan(async ({ capstan, io, capsuleOptions }) => {
    const listed = await capstan.capsules.list(capsuleOptions);
    return {
      json: listed.map((one) => ({
        ...capsuleDocument(one),
        metrics: figuresDocument(one.figures),
      })),
      text: await listText(listed, capsuleColumns, { io, none: '' }),
    };
  }),
};

export const capsulesPrompt: CommandDefinition = {
  name: 'prompt',
  summary: 'Show the prompt for a task, layer by layer',
  arguments: '<capsule>',
  options: {
    '--task <text>': 'the task, as a user would type it',
    '--task-kind <name>': 'default: the one that a run with a model would choose',
    ...projectOptions,
    ...standard.json,
  },
  examples: [
    'capstan capsules prompt log-analyst --task "How many requests failed?"',
    'capstan capsules prompt ./agents/mine --json',
  ],
  run: withCapstan(async ({ capstan, io, named, isJson, text, capsuleOptions }) => {
    const options = { ...capsuleOptions, task: text('task'), taskKind: text('taskKind') };
    const prompt = await capstan.capsules.prompt(named, options);
    const { capsule, taskKind, mode, tokens, layers } = prompt;
    if (mode === 'handler' && !isJson)
      io.stderr(`note: task kind "${taskKind}" runs a handler, which uses no prompt.\n`);
    const texts = layers.map(({ kind, id, tokens: size, path, text: content }) => {
      const head = [`━━ ${kind} ${id}`, `≈${size} tokens`, ...(path === null ? [] : [path])];
      return `${head.join(' · ')}\n${escapeText(content, true)}\n\n`;
    });
    return {
      json: { capsule, task_kind: taskKind, mode, tokens, layers },
      text: `${texts.join('')}≈${tokens} tokens before the first answer\n`,
    };
  }),
};

export const capsulesInspect: CommandDefinition = {
  name: 'inspect',
  summary: 'Show one capsule: grants, memory and statistics',
  arguments: '<capsule>',
  options: { ...projectOptions, ...standard.json },
  examples: ['capstan capsules inspect log-analyst', 'capstan capsules inspect mine --json'],
  run: withCapstan(async ({ capstan, named, capsuleOptions }) => {
    const details = await capstan.capsules.get(named, capsuleOptions);
    return { json: documentOf(details), text: inspectText(details) };
  }),
};

/** What both a list and a page of a capsule have, for JSON. */
const capsuleDocument = ({
  capsule: { id, origin, manifest },
  quarantine,
}: Pick<CapsuleDetails, 'capsule' | 'quarantine'>) => ({
  id,
  name: manifest.name,
  origin,
  version: manifest.version,
  description: manifest.description,
  task_kinds: manifest.task_kinds.map(({ name, mode }) => ({ name, mode })),
  tools: Object.keys(manifest.grants.tools),
  skills: manifest.skills,
  status: quarantine ? 'quarantined' : 'ready',
  quarantine: quarantine
    ? { reason: quarantine.reason, by: quarantine.heldBy, since: quarantine.heldAt }
    : null,
});

/** Null if a capsule was never used. */
const figuresDocument = (figures: CapsuleDetails['figures']) =>
  figures ? { ...withDocumentKeys(figures), success_rate: figures.completed / figures.uses } : null;

const documentOf = (details: CapsuleDetails) => ({
  ...capsuleDocument(details),
  dir: details.capsule.dir,
  hash: details.capsule.hash,
  memories: details.memories,
  overlay: details.capsule.overlay?.path ?? null,
  overlay_version: details.overlayVersion,
  metrics: figuresDocument(details.figures),
  versions: details.versions.map(figuresDocument),
  manifest: details.capsule.manifest,
});

/** A capsule with its grants, task kinds and figures. All text is escaped. */
export function inspectText(details: CapsuleDetails): string {
  const { manifest } = details.capsule;
  const grants = formatTable(grantRows(manifest.grants)) || '  none\n';
  const kinds = manifest.task_kinds.flatMap(({ name, mode, description, examples }) => [
    [`  ${name}`, mode, shorten(description, 100)],
    ...examples.map((example) => ['', '', `“${shorten(example, 90)}”`]),
  ]);
  return [
    factsOf(details),
    `\n${escapeText(manifest.description)}\n`,
    titled('Grants', grants),
    titled('Task kinds', formatTable(kinds)),
    titled('Uses by version of its overlay', versionsText(details)),
  ].join('');
}

function factsOf(details: CapsuleDetails): string {
  const { capsule, isEdited, memories, overlayVersion, quarantine } = details;
  const { id, origin, dir, hash, manifest, overlay } = capsule;
  const since =
    quarantine && `${escapeText(quarantine.reason)} (since ${shortTime(quarantine.heldAt)})`;
  const version = overlayVersion.slice(0, VERSION_DIGITS);
  return formatTable([
    ['capsule', id],
    ['name', escapeText(manifest.name)],
    ['origin', isEdited ? 'shipped, edited: without its overlay it is as shipped' : origin],
    ...(since === undefined ? [] : [['quarantined', since]]),
    ['version', manifest.version],
    ['folder', dir],
    ['hash', hash.slice(0, 16)],
    ['starts as', manifest.entrypoint.map((word) => escapeText(word)).join(' ')],
    ['skills', manifest.skills.join(', ') || '-'],
    ['overlay', overlay ? `${overlay.path} (${version})` : '-'],
    ['remembers', counted(memories, 'item')],
  ]);
}

const VERSION_DIGITS = 12;

function versionsText({ versions, overlayVersion }: CapsuleDetails): string {
  const rows = versions.map((one) => [
    `  ${one.version.slice(0, VERSION_DIGITS)}${one.version === overlayVersion ? ' (now)' : ''}`,
    ...figureCells(one),
    shortTime(one.lastUsedAt),
  ]);
  return headedTable(['  version', ...figureColumns, 'last used'], rows, '  never used\n');
}
