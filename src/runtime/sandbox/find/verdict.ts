import type { IsolationLevel } from '../../../contract/permissions/isolation.ts';
import { type SelfTestName, type SelfTestResult, selfTests, type Who } from '../self-test.ts';

/** Actions that are forbidden for every process, at any level. */
const never: readonly SelfTestName[] = [
  ...(['canary', 'places', 'environ', 'memory', 'environments', 'outsideWrite', 'own'] as const),
];
const network: readonly SelfTestName[] = ['loopback', 'udp', 'outside'];

/** The actions that must fail, by level and kind of process. Others are not guaranteed. */
function mustFail(level: IsolationLevel, who: Who): readonly SelfTestName[] {
  if (level === 'none') return [];
  if (level === 'C') return [...never, 'fork', 'namespace'];
  const ofTool: readonly SelfTestName[] = who === 'reading tool' ? ['workspaceWrite'] : [];
  const ofKind: readonly SelfTestName[] = who === 'capsule' ? ofCapsule(level) : ofTool;
  const both = [...never, ...network, 'namespace', 'signal', 'sysctl', ...ofKind] as const;
  return level === 'B' ? both : [...both, 'processes', 'tmp', 'shadow', 'inherited'];
}

/** In a separate namespace, a capsule may change the attributes of its own files. */
const ofCapsule = (level: IsolationLevel): readonly SelfTestName[] =>
  level === 'B' ? ['fork', 'attributes', 'priority', 'calls'] : ['fork', 'priority'];

/** The forbidden actions that succeeded at a level, as text for a person. */
export const findFailings = (level: IsolationLevel, who: Who, result: SelfTestResult): string[] =>
  mustFail(level, who)
    .filter((name) => hasFailed(name, result[name]))
    .map((name) => selfTests[name]);

/** A call that reached the kernel passed the filter, whatever became of it. */
const hasFailed = (name: SelfTestName, result: string | undefined): boolean =>
  result === 'done' || (name === 'calls' && result !== undefined && result !== 'EPERM');
