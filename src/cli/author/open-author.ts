import { join } from 'node:path';
import type { Trials } from '../../app/wiring/open-trials.ts';
import type { Trial } from '../../authoring/trial.ts';
import type { AskModel } from '../../authoring/trial-broker.ts';
import { AppError, failedWith } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { TaskKind } from '../../registry/manifest/manifest.ts';
import type { SkillCatalogue } from '../../registry/overlay/skills.ts';
import type { PromptLayer, PromptVariables } from '../../registry/overlay/system-prompt.ts';
import type { CommandOption } from '../command.ts';
import type { CapsulesHere } from '../commands/capsules-ground.ts';
import { isIsolationWaived } from '../isolation-flags.ts';
import { abortOnSignal, exitCodeOfSignal } from '../watch-signals.ts';

/** What every command may be told that runs capsules for their author. `live` says what --live does there. */
export const trialOptions = (live: string): readonly CommandOption[] => [
  {
    flags: '-w, --workspace <dir>',
    description: 'the project whose capsules and skills count, too',
  },
  { flags: '--live', description: live },
  { flags: '--provider <name>', description: 'with --live: openai, anthropic, gemini or ollama' },
  { flags: '--model <name>', description: "with --live: the provider's model" },
  {
    flags: '--budget-usd <amount>',
    description: 'with --live: most that may be spent; naming it is the consent',
  },
  {
    flags: '--dangerously-no-isolation',
    description: 'run everything without a sandbox, with your rights',
  },
  { flags: '--trust-project', description: "take the project's files as trusted, this once" },
];

/** What an author's commands try capsules with. */
export interface Author {
  readonly trials: Trials;
  /** Undefined: only recorded answers. */
  readonly askModel: AskModel | undefined;
  readonly skills: SkillCatalogue;
  /** The skills as they are now. */
  readSkills(): Promise<SkillCatalogue>;
  readonly signal: AbortSignal;
  run(
    trial: Omit<Trial, 'askModel'>,
  ): ReturnType<typeof import('../../authoring/run-trial.ts').runTrial>;
}

/** Runs `work` with all that trials need, and sees to it that nothing of it is left. */
export async function withAuthor(
  here: CapsulesHere,
  what: string,
  work: (author: Author) => Promise<number>,
): Promise<number> {
  const { args, io, loaded } = here;
  const { openTrials } = await import('../../app/wiring/open-trials.ts');
  const { runTrial } = await import('../../authoring/run-trial.ts');
  const { makePlaces } = await import('../../config/places.ts');
  const { keepSchemas } = await import('../../app/wiring/keep-schemas.ts');
  const { places } = loaded.settings;
  makePlaces(places);
  keepSchemas(places);
  const readSkills = catalogueReader(here);
  const skills = await readSkills();
  const watch = abortOnSignal();
  const { signal } = watch;
  const trials = await openTrials(loaded.settings, isIsolationWaived(args.options));
  const isLive = args.options['live'] === true || args.options['record'] === true;
  const { openLive } = await import('./open-live.ts');
  const live = isLive ? await openLive(args.options, io, { task: what, signal }) : undefined;
  const askModel = live?.ask;
  const run: Author['run'] = (trial) => runTrial(trials, { ...trial, askModel }, signal);
  const code = () => exitCodeOfSignal[watch.received() ?? 'SIGINT'];
  try {
    const ended = await work({ trials, askModel, skills, readSkills, signal, run });
    return signal.aborted ? code() : ended;
  } catch (error) {
    if (signal.aborted && failedWith(error, 'CANCELLED')) return code();
    throw error;
  } finally {
    watch.stop();
    await live?.close();
    trials.close();
  }
}

/** Reads the skills that there are here, as often as wished. What was left out of them is told, each problem once. */
function catalogueReader({ io, loaded }: CapsulesHere): () => Promise<SkillCatalogue> {
  const told = new Set<string>();
  return async () => {
    const { loadSkills } = await import('../../registry/overlay/skills.ts');
    const { skillRoots } = await import('../../app/wiring/skill-roots.ts');
    const { settings, project } = loaded;
    const { catalogue, problems } = await loadSkills(skillRoots(settings.places, project));
    for (const problem of problems.filter((one) => !told.has(one))) {
      told.add(problem);
      io.stderr(`note: ${escapeText(problem, true)}\n`);
    }
    return catalogue;
  };
}

/** The skills that there are here. What was left out of them is told. */
export const loadCatalogue = (here: CapsulesHere): Promise<SkillCatalogue> =>
  catalogueReader(here)();

/** @throws AppError `SKILL_UNKNOWN`, `TEMPLATE_INVALID`. */
export async function layersOf(
  capsule: Capsule,
  skills: SkillCatalogue,
  variables: PromptVariables,
): Promise<PromptLayer[]> {
  const { promptLayers } = await import('../../registry/overlay/system-prompt.ts');
  const where = join(capsule.dir, 'manifest.json');
  const named = capsule.manifest.skills.map((id) => skills.get(id, where));
  return promptLayers({ capsule, skills: named, variables });
}

/** @throws AppError `SKILL_UNKNOWN`, `TEMPLATE_INVALID`. */
export async function promptOf(
  capsule: Capsule,
  skills: SkillCatalogue,
  variables: PromptVariables,
): Promise<string> {
  const { textOfLayers } = await import('../../registry/overlay/system-prompt.ts');
  return textOfLayers(await layersOf(capsule, skills, variables));
}

/**
 * The task kind that is tried: the named one, else the one that a run would take.
 *
 * @throws AppError `USAGE` where there is none.
 */
export async function kindOf(
  capsule: Capsule,
  named: string | undefined,
  hasModel: boolean,
): Promise<TaskKind> {
  const { kindFor } = await import('../../registry/search/route.ts');
  const { task_kinds } = capsule.manifest;
  const kind =
    named === undefined
      ? (kindFor(capsule, hasModel) ?? task_kinds[0])
      : task_kinds.find(({ name }) => name === named);
  if (kind) return kind;
  const names = task_kinds.map(({ name }) => name).join(', ');
  const problem = `"${capsule.id}" has no task kind "${named}". It has: ${names}.`;
  throw new AppError('USAGE', { problem });
}

/** Where a capsule's cases are looked for: the person's own come before those that it came with. */
export function caseFolders({ personal }: CapsulesHere, { id, dir }: Capsule): readonly string[] {
  const own = join(personal, id, 'cases');
  const given = join(dir, 'cases');
  return own === given ? [given] : [own, given];
}

/** Where a person keeps cases and records of theirs: nothing is written where Capstan is installed. */
export const ownCaseFolder = ({ personal }: CapsulesHere, { id, dir, origin }: Capsule): string =>
  origin === 'shipped' ? join(personal, id, 'cases') : join(dir, 'cases');

/** The workspace of a trial is always called so. */
export const TRIAL_WORKSPACE = 'workspace';

export const textOption = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
