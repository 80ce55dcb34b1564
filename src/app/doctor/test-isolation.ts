import { makePlaces } from '../../config/places.ts';
import { messageOf } from '../../contract/errors.ts';
import { findFailings } from '../../runtime/sandbox/find/verdict.ts';
import {
  type SelfTestName,
  type SelfTestResult,
  selfTest,
  selfTests,
  type Who,
} from '../../runtime/sandbox/self-test.ts';
import type { AppContext, SettingsOverrides } from '../context/open-context.ts';
import { groupNotices, openIsolation } from '../wiring/isolation.ts';

/** The result of a test of the sandbox, for each kind of child process. */
export interface IsolationReport {
  readonly level: string;
  /** Why the level is not higher. */
  readonly reason: string;
  /** Whether the level held. */
  readonly isKept: boolean;
  /** The attempts of each child. */
  readonly attempts: readonly { readonly name: SelfTestName; readonly label: string }[];
  readonly children: readonly IsolationTrial[];
  /** Limits that do not hold here. */
  readonly notices: readonly string[];
}

export interface IsolationTrial {
  readonly who: Who;
  /** By name of the attempt: `done`, or the code of the error that prevented it. */
  readonly found: SelfTestResult;
  /** Attempts that succeeded although the level promises to prevent them. */
  readonly failings: readonly string[];
  /** Why no such child was started. */
  readonly problem: string | undefined;
}

const kinds: readonly Who[] = ['capsule', 'reading tool', 'writing tool'];

/** Starts one child of each kind at the level in force and lets it try to escape. */
export async function testIsolation(
  context: AppContext,
  overrides?: SettingsOverrides,
): Promise<IsolationReport> {
  const { settings } = await context.settings(overrides);
  makePlaces(context.places);
  const { level, reason, sandbox } = await openIsolation(settings, false);
  const places = Object.values(settings.places);
  const children: IsolationTrial[] = [];
  for (const who of kinds) {
    try {
      const found = await selfTest(sandbox, who, { places, isThorough: true });
      const failings = findFailings(level, who, found);
      children.push({ who, found, failings, problem: undefined });
    } catch (error) {
      children.push({ who, found: {}, failings: [], problem: messageOf(error) });
    }
  }
  const names = Object.keys(selfTests) as SelfTestName[];
  return {
    level,
    reason,
    isKept: children.every((child) => isKept(level, child)),
    attempts: names.map((name) => ({ name, label: selfTests[name] })),
    children,
    notices: groupNotices(level),
  };
}

/** At level C no tool is started, so its problem is not a failure. */
const isKept = (level: string, { who, failings, problem }: IsolationTrial): boolean =>
  problem === undefined ? failings.length === 0 : level === 'C' && who !== 'capsule';
