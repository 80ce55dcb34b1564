import type { IsolationLevel } from '../../../contract/isolation.ts';
import { type SelfTestName, type SelfTestResult, selfTests, type Who } from '../self-test.ts';

/** What nothing that is started may do, at any level. */
const never: readonly SelfTestName[] = [
  ...(['canary', 'places', 'environ', 'memory', 'environments', 'outsideWrite', 'own'] as const),
];
const network: readonly SelfTestName[] = ['loopback', 'udp', 'outside'];

/** What must fail, by level and kind of process. What is not named is not promised. */
function mustFail(level: IsolationLevel, who: Who): readonly SelfTestName[] {
  if (level === 'none') return [];
  if (level === 'C') return [...never, 'fork', 'namespace'];
  const ofTool: readonly SelfTestName[] = who === 'reading tool' ? ['workspaceWrite'] : [];
  const ofKind: readonly SelfTestName[] = who === 'capsule' ? ofCapsule(level) : ofTool;
  const both = [...never, ...network, 'namespace', 'signal', 'sysctl', ...ofKind] as const;
  return level === 'B' ? both : [...both, 'processes', 'tmp', 'shadow', 'inherited'];
}

/** In a namespace of its own, the attributes of what is inside are its own. */
const ofCapsule = (level: IsolationLevel): readonly SelfTestName[] =>
  level === 'B' ? ['fork', 'attributes', 'priority'] : ['fork', 'priority'];

/** What a child did that it must not at its level, as a person reads it. */
export const findFailings = (level: IsolationLevel, who: Who, result: SelfTestResult): string[] =>
  mustFail(level, who)
    .filter((name) => result[name] === 'done')
    .map((name) => selfTests[name]);
