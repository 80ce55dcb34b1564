import { homedir } from 'node:os';
import { loadPolicy } from '../../../broker/rules/load-policy.ts';
import type { Policy } from '../../../broker/rules/policy-snapshot.ts';
import type { LoadedSettings, Settings } from '../../../config/settings.ts';
import type { RunParts } from '../../../coordinator/context/run-context.ts';
import type { Stores } from '../../../coordinator/store/create-stores.ts';
import type { RunRecord } from '../../../coordinator/store/runs/run-record.ts';
import { chooseProvider } from '../../../llm/choose-provider.ts';
import { openPriceList } from '../../../llm/prices/prices.ts';
import { unknownCapsules } from '../../../policy/rules/rule-warnings.ts';
import { capsuleProblem } from '../../../registry/capsule-problem.ts';
import { readCapsules } from '../../../registry/capsule-store.ts';
import { loadSkills } from '../../../registry/overlay/skills.ts';
import { assertNotQuarantined } from '../../../registry/quarantine.ts';
import type { CapsuleRunner } from '../../../runtime/runner.ts';
import type { Isolation } from '../../../runtime/sandbox/find/find-isolation.ts';
import { resolveExisting } from '../../../tools/files/paths.ts';
import { findRepository, type Repository } from '../../../tools/git/find-repository.ts';
import { isTracked } from '../../../tools/git/is-tracked.ts';
import { toolbox } from '../../../tools/toolbox.ts';
import { findCapsule } from '../../capsules/load-capsules.ts';
import { upgradeShims } from '../../capsules/share/upgrade-shims.ts';
import type { AppContext } from '../../context/open-context.ts';
import { certificateNotices } from '../../doctor/certificate-notices.ts';
import {
  assertIsolation,
  isolationNotices,
  isolationRecord,
  openIsolation,
} from '../../wiring/isolation.ts';
import { openConfiguredApis } from '../../wiring/models/open-configured-apis.ts';
import { type Opened, openHooks, openParts } from '../../wiring/open-parts.ts';
import { protectionFor } from '../../wiring/protection.ts';
import { capsuleIds, capsuleRoots, skillRoots } from '../../wiring/registry/capsule-roots.ts';
import type { RunHost } from '../run-host.ts';
import type { RunOptions } from './started-run.ts';

export interface PrepareOptions extends Pick<RunOptions, 'isIsolationWaived' | 'onProgress'> {
  readonly loaded: LoadedSettings;
  /** Default: processes in the sandbox in force. */
  readonly runCapsule?: CapsuleRunner | undefined;
}

/** The values that depend on the settings of one run. */
export type PreparedRun = Awaited<ReturnType<typeof prepareRun>>;

/**
 * Chooses the provider, finds the isolation of a run, and reads the user's files: nothing of a run with wrong settings exists.
 */
export async function prepareRun(
  context: AppContext,
  { stores, registries }: RunHost,
  options: PrepareOptions,
) {
  const { loaded, runCapsule, onProgress, isIsolationWaived = false } = options;
  const { environment, events, presence } = context;
  const { settings, project } = loaded;
  const choice = await chooseProvider(settings);
  const { services, notices } = await openConfiguredApis(settings, environment);
  const isolation = await openIsolation(settings, isIsolationWaived);
  const prices = await openPriceList(settings.places.configDir);
  const hooks = await openHooks(settings, context);
  const repository = await openGitRepository(settings, isolation);
  let opened: Promise<Opened> | undefined;
  return {
    loaded,
    provider: choice,
    /** The level in force and why: `A: …`. */
    isolation: isolationRecord(isolation),
    notices: [
      loaded.notices,
      certificateNotices(environment),
      isolationNotices(isolation),
      repositoryNotices(repository),
      notices,
      choice.notice ?? [],
    ].flat(),
    /**
     * Opens the parts of the run, which may fail.
     *
     * @param before The isolation that the run began with: it never continues at a lower level.
     */
    async open(before?: string): Promise<RunParts> {
      assertIsolation(settings, isolation, before);
      await upgradeShims(context);
      const found = { choice, services, prices, hooks, isolation, gitPaths: repository?.paths };
      const shared = { stores, registries, events, environment, canAnswer: presence };
      opened = openParts({ ...found, ...shared, settings, project, runCapsule, onProgress });
      return (await opened).parts;
    },
    async close() {
      const parts = await opened?.catch(() => undefined);
      await parts?.close();
    },
  };
}

/**
 * The rules in force for a run that begins.
 *
 * @param policyFile Used in place of the user's `policy.yaml`.
 */
export async function policyForStart(
  { cwd, environment }: AppContext,
  loaded: LoadedSettings,
  policyFile: string | undefined,
): Promise<Policy> {
  const { settings, project } = loaded;
  const input = { settings, project, policyFile, cwd, environment, tools: toolbox };
  const policy = await loadPolicy(input);
  const unknown = unknownCapsules(policy.texts, () => capsuleIds(loaded));
  const misspelled = unknown.flatMap(({ isMisspelled, problem }) => (isMisspelled ? problem : []));
  return { ...policy, notices: [...policy.notices, ...misspelled] };
}

/** The settings of a run as its row keeps them: without keys and places. */
export function optionsOf({ settings }: LoadedSettings): RunRecord['options'] {
  const { keys: _keys, places: _places, network: _network, ...rest } = settings;
  return rest;
}

/** Checks before a run exists that the capsule it names can be used. */
export async function assertCapsule(
  id: string,
  loaded: LoadedSettings,
  { quarantine }: Pick<Stores, 'quarantine'>,
): Promise<void> {
  const roots = capsuleRoots(loaded);
  const [named] = readCapsules(roots, id).capsules;
  const capsule =
    named ?? findCapsule({ ...readCapsules(roots), personal: roots.personal, loaded }, id);
  assertNotQuarantined(capsule, quarantine);
  const skills = skillRoots(loaded.settings.places, loaded.project);
  const problemWith = async (isWanted?: (id: string) => boolean) =>
    capsuleProblem(capsule, (await loadSkills(skills, isWanted)).catalogue, toolbox);
  const { skills: own } = capsule.manifest;
  if ((await problemWith((id) => own.includes(id))) === undefined) return;
  // The error names all skills.
  const problem = await problemWith();
  if (problem !== undefined) throw problem;
}

/** The Git repository around the workspace, for commands to read. Undefined if there is none, or commands can read it already. */
async function openGitRepository(
  settings: Pick<Settings, 'places' | 'workspace' | 'openPaths'>,
  { level, sandbox }: Isolation,
): Promise<Repository | undefined> {
  if (level !== 'A' && level !== 'B') return undefined;
  const { workspace } = settings;
  const found = findRepository({ workspace, home: resolveExisting(homedir()) });
  const isProtected = protectionFor(settings);
  if (found === undefined || found.paths.some((path) => isProtected(path, 'read')))
    return undefined;
  return (await isTracked(workspace, found, sandbox)) ? found : undefined;
}

/** A notice for the start of a run. */
function repositoryNotices(repository: Repository | undefined): string[] {
  if (repository === undefined) return [];
  const paths = repository.paths.join(', ');
  return [
    `Commands can read the Git repository of the workspace, which is outside it (${paths}), and can't change it. For Git, files outside the workspace are missing.`,
  ];
}
