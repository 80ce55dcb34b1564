import { join } from 'node:path';
import { redactorOfNames } from '../../app/wiring/known-secrets.ts';
import { installFolder } from '../../config/install-folder.ts';
import { AppError } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import type { CapsuleDraft } from '../../registry/create/capsule-factory.ts';
import type { CapsuleProfile } from '../../registry/create/capsule-profile.ts';
import type { Registry } from '../../registry/registry.ts';
import type { RouteCandidate } from '../../registry/search/route.ts';
import type { CommandDefinition } from '../command.ts';
import { confirm } from '../confirm.ts';
import { exitCodes } from '../exit-codes.ts';
import { printJson } from '../print-json.ts';
import { createProgressLine } from '../progress-line.ts';
import { assertFreeId } from './capsules-free-id.ts';
import { type CapsulesHere, jsonOption, withCapsules } from './capsules-ground.ts';
import { beginAnew, PERSON, withRecords } from './capsules-records.ts';

export const capsulesCreate: CommandDefinition = {
  name: 'create',
  summary: 'Make a capsule of your own from the template, by what it is to do',
  arguments: '<description...>',
  options: [
    { flags: '--id <id>', description: 'its id (default: made from its name)' },
    { flags: '--name <name>', description: 'its name (default: made from the description)' },
    { flags: '--role <text>', description: 'how it works, for the top of its overlay' },
    { flags: '--skills <ids>', description: 'skills, parted by commas (default: those that fit)' },
    { flags: '--tools <names>', description: 'tools, parted by commas (default: those that fit)' },
    { flags: '--provider <name>', description: 'whose model describes it; offline: by its words' },
    { flags: '--model <name>', description: "the provider's model" },
    {
      flags: '--budget-usd <amount>',
      description: 'most that the model may cost; naming it is the consent',
    },
    { flags: '--anyway', description: 'also where another capsule does nearly the same' },
    { flags: '-y, --yes', description: 'do not ask' },
    jsonOption,
  ],
  examples: [
    'capstan capsules create Look for spelling mistakes in Markdown files',
    'capstan capsules create "Ask our SQLite databases about sales" --id sales-analyst --tools sql_query',
  ],
  run: withCapsules(create),
};

async function create(here: CapsulesHere): Promise<number> {
  const { args, io } = here;
  const { redact } = redactorOfNames(io.environment);
  const description = redact(args.positionals.join(' ').trim());
  if (description === '')
    throw new AppError('USAGE', { problem: 'Say what the capsule is to do.' });
  const wished = textOf(args.options['id']);
  const advice = 'Choose another one, or leave --id out.';
  if (wished !== '') await assertFreeId(here, wished, { from: '--id', advice });
  const { draft, twin } = await plan(here, description);
  if (twin && args.options['anyway'] !== true) return offer(here, twin);
  io.stderr(draftText(draft));
  const { id } = draft.manifest;
  if (args.options['yes'] !== true && !(await confirm(`Create the capsule "${id}"?`, io))) {
    io.stderr('Nothing was created.\n');
    return exitCodes.failed;
  }
  const { writeCapsule } = await import('../../registry/create/capsule-factory.ts');
  const capsule = await writeCapsule(draft);
  const { keepSchemas } = await import('../../app/wiring/keep-schemas.ts');
  keepSchemas(here.loaded.settings.places);
  const { dir, hash } = capsule;
  await withRecords(here.stateDir, (records) =>
    records.write(() => {
      beginAnew(records, capsule);
      const detail = { dir, hash };
      const action = 'capsule.created';
      records.audit.append({ actor: PERSON, action, runId: null, ref: id, detail });
    }),
  );
  if (args.options['json'] === true) printJson(io, { created: id, dir, twin: null });
  else
    io.stdout(
      `Created "${id}": ${dir}\nIt works with a language model: capstan run --capsule ${id} "…"\n`,
    );
  return exitCodes.completed;
}

/** What there is already is offered in the place of a new one. */
function offer({ args, io }: CapsulesHere, { capsuleId, score }: RouteCandidate): number {
  if (args.options['json'] === true) {
    printJson(io, { created: null, twin: { id: capsuleId, score } });
    return exitCodes.failed;
  }
  io.stderr(
    `"${capsuleId}" does nearly this already (score ${score.toFixed(2)}). Nothing was created.\n` +
      `Look at it: capstan capsules inspect ${capsuleId}. Create a new one all the same: --anyway\n`,
  );
  return exitCodes.failed;
}

interface Plan {
  readonly draft: CapsuleDraft;
  /** Does nearly the same. */
  readonly twin: RouteCandidate | undefined;
}

async function plan(here: CapsulesHere, description: string): Promise<Plan> {
  const { capsules, loaded, personal } = here;
  const { draftCapsule } = await import('../../registry/create/capsule-factory.ts');
  const { findTwin } = await import('../../registry/search/find-twin.ts');
  const { grantableIn } = await import('../../coordinator/grantable.ts');
  const { openStores } = await import('../../coordinator/open-stores.ts');
  const { openRegistry } = await import('../../app/wiring/open-registry.ts');
  const { settings, project } = loaded;
  makeFolder(settings.places.stateDir);
  const stores = openStores(settings.places.stateDir, {
    redactor: redactorOfNames(here.io.environment),
  });
  const line = createProgressLine(here.io, 'Embedding what capsules are for');
  const wish = { settings, project, onProgress: line.tell };
  const { registry, close } = await openRegistry(wish, stores);
  try {
    await registry.sync();
    line.end();
    const grantable = grantableIn(settings);
    const tools = Object.keys(grantable);
    const profile = await profileFor(description, { here, registry, tools });
    const draft = await draftCapsule({
      profile,
      templateDir: join(installFolder(), 'capsule-template'),
      targetDir: personal,
      taken: new Set(capsules.map(({ id }) => id)),
      grantable,
      skills: new Set(registry.skills().map(({ id }) => id)),
      redactor: stores.redactor,
    });
    const exclude = [...stores.quarantine.idsAmong(registry.list())];
    return { draft, twin: await findTwin(registry, profile, exclude) };
  } finally {
    line.end();
    await close();
    stores.close();
  }
}

interface Ground {
  readonly here: CapsulesHere;
  readonly registry: Registry;
  readonly tools: readonly string[];
}

/** By the model or by the words of the description, as far as the person does not say it. */
async function profileFor(
  description: string,
  { here, registry, tools }: Ground,
): Promise<CapsuleProfile> {
  const { heuristicProfile } = await import('../../registry/create/heuristic-profile.ts');
  const { profileByModel } = await import('./capsules-profile.ts');
  const { options } = here.args;
  const skills = registry.skills();
  const byModel = await profileByModel(here, description);
  const profile = byModel ?? heuristicProfile(description, { skills, tools });
  const named = listOf(options['tools'], tools, '--tools');
  const known = skills.map(({ id }) => id);
  const chosen = listOf(options['skills'], known, '--skills');
  return {
    ...profile,
    id: textOf(options['id']) || profile.id,
    name: textOf(options['name']) || profile.name,
    role: textOf(options['role']) || profile.role,
    skills: chosen ?? profile.skills,
    grants: named ? Object.fromEntries(named.map((tool) => [tool, {}])) : profile.grants,
  };
}

const textOf = (given: unknown): string => (typeof given === 'string' ? given : '');

/** @throws AppError `USAGE` naming the word that is none of those that there are. */
function listOf(
  given: unknown,
  known: readonly string[],
  flag: string,
): readonly string[] | undefined {
  if (typeof given !== 'string') return undefined;
  const words = given
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);
  const unknown = words.find((word) => !known.includes(word));
  if (unknown === undefined) return words;
  const problem = `${flag} names "${escapeText(unknown)}", which does not exist. There are: ${known.join(', ')}.`;
  throw new AppError('USAGE', { problem });
}

/** The whole manifest and overlay, as the gate of a run shows them. */
const draftText = ({ manifest, overlay }: CapsuleDraft): string =>
  [
    ['manifest.json', JSON.stringify(manifest, undefined, 2)],
    ['skill.md', overlay],
  ]
    .map(([name = '', text = '']) => {
      const lines = escapeText(text.trimEnd(), true).replace(/^/gm, '  │ ');
      return `${name}\n${lines}\n\n`;
    })
    .join('');
