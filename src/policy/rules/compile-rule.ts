import { posix, resolve } from 'node:path';
import { shownPath } from '../../platform/files/inside.ts';
import { globBase } from '../../platform/globs/glob.ts';
import { oncePer } from '../../platform/once.ts';
import { matchesArgv } from '../grants/grants.ts';
import { ANY_NAME, nameGlob, pathGlob } from '../names/glob.ts';
import { type Host, matchesHost, parseHostPattern } from '../names/host-name.ts';
import { shownCommands } from './command-words.ts';
import type { Rule, RuleCall, RulePath } from './rule.ts';
import type { RuleText, When } from './rules-schema.ts';

type Condition = (call: RuleCall) => boolean;

/**
 * A rule with compiled patterns. A deny or an ask is read broadly: one matching path, tier or spelling, or an unknown cost,
 * is enough. An allow is read narrowly: it has to cover everything that the call does.
 */
export function compileRule({
  id,
  answer,
  why,
  when,
}: Pick<RuleText, 'id' | 'answer' | 'why' | 'when'>): Rule {
  const isWide = answer !== 'allow';
  const conditions = [
    nameCondition(when.tool, isWide, ({ tool }) => tool),
    nameCondition(when.operation, isWide, ({ operation }) => operation),
    nameCondition(when.capsule, isWide, ({ capsuleId }) => capsuleId),
    tierCondition(when.tier, isWide),
    costCondition(when.cost_usd, isWide),
    hostCondition(when.host, isWide),
    argvCondition(when.argv, isWide),
    isWide ? widePath(when.path) : narrowPath(when),
    isWide ? undefined : coversMoney(when),
    isWide ? undefined : coversNetwork(when),
  ].filter((condition) => condition !== undefined);
  return { id, answer, why, matches: (call) => conditions.every((matches) => matches(call)) };
}

function nameCondition(
  patterns: readonly string[] | undefined,
  isWide: boolean,
  nameOf: (call: RuleCall) => string,
): Condition | undefined {
  if (patterns === undefined) return undefined;
  const matches = nameGlob(patterns, isWide);
  return (call) => matches(nameOf(call));
}

function tierCondition(tiers: When['tier'], isWide: boolean): Condition | undefined {
  if (tiers === undefined) return undefined;
  const named = new Set<number>(tiers);
  return ({ tiers: asked }) => asked[isWide ? 'some' : 'every']((tier) => named.has(tier));
}

function costCondition(cost: When['cost_usd'], isWide: boolean): Condition | undefined {
  if (cost === undefined) return undefined;
  const over = cost.over === undefined ? -1 : cost.over * 1e6;
  const under = cost.under === undefined ? Number.POSITIVE_INFINITY : cost.under * 1e6;
  return ({ costMicroUsd }) =>
    costMicroUsd === undefined ? isWide : costMicroUsd > over && costMicroUsd < under;
}

function hostCondition(hosts: When['host'], isWide: boolean): Condition | undefined {
  if (hosts === undefined) return undefined;
  const patterns = hosts.map(parseHostPattern).filter((pattern) => pattern !== undefined);
  const isNamed = (host: Host) => patterns.some((pattern) => matchesHost(pattern, host, isWide));
  return ({ hosts: asked }) =>
    isWide ? asked.some(isNamed) : asked.length > 0 && asked.every(isNamed);
}

/** A command with network is allowed only by a rule with hosts. */
function coversNetwork({ host }: When): Condition | undefined {
  if (host !== undefined) return undefined;
  return ({ command, hosts }) => command === undefined || hosts.length === 0;
}

/** A wide one matches any command in the words, with any starter. */
function argvCondition(argv: When['argv'], isWide: boolean): Condition | undefined {
  if (argv === undefined) return undefined;
  const patterns = argv.map((pattern) => pattern.trim().split(/\s+/));
  const isNamed = (words: readonly string[]) =>
    patterns.some((pattern) => matchesArgv(pattern, words, isWide));
  return ({ command }) =>
    command !== undefined &&
    ((command.kind === 'argv' && isNamed(command.argv)) ||
      (isWide &&
        shownCommands(command).some(({ program, words }) =>
          isNamed([program, ...words.slice(1)]),
        )));
}

/** Matches any path, as written or resolved, and any word of a command that is a path. Ignores case. */
function widePath(paths: When['path']): Condition | undefined {
  if (paths === undefined) return undefined;
  const patterns = paths.map((pattern) => {
    const glob = pattern.normalize('NFC');
    return { matches: pathGlob(glob, true), base: globBase(posix.normalize(glob)) };
  });
  const touches = (path: string) => patterns.some(({ matches }) => matches(path.normalize('NFC')));
  const reaches = (path: string) =>
    patterns.some(({ base }) => areInLine(path.normalize('NFC').toLowerCase(), base.toLowerCase()));
  return (call) =>
    call.paths.some(
      ({ written, real, subtree }) =>
        touches(written) ||
        touches(real) ||
        (subtree &&
          (touches(posix.join(real, ANY_NAME)) || (!call.isTreeFiltered && reaches(real)))),
    ) || pathsNamedBy(call).some(touches);
}

/** Whether two folders are the same, or one contains the other. */
const areInLine = (one: string, other: string): boolean =>
  one === '.' ||
  other === '' ||
  other === '.' ||
  `${one}/`.startsWith(`${other}/`) ||
  `${other}/`.startsWith(`${one}/`);

/** Paths among the words of a command. Cached, since many rules use the same call. */
const pathsNamedBy = oncePer(({ workspace, command }: RuleCall): readonly string[] => {
  if (command === undefined) return [];
  const folder = resolve(workspace, command.cwd);
  const words = shownCommands(command).flatMap(({ words }) => words);
  const paths = ['.', ...words.flatMap((word) => [word, word.slice(word.indexOf('=') + 1)])].map(
    (word) => shownPath(workspace, resolve(folder, word)).normalize('NFC'),
  );
  return [...new Set(paths)];
});

/** Every path, resolved. The files that a command touches are unknown, so a rule for commands must also name words. */
function narrowPath({ path: patterns, argv }: When): Condition | undefined {
  if (patterns === undefined) return undefined;
  const globs = patterns.map((pattern) => pathGlob(pattern));
  const covers = ({ real, subtree }: RulePath) =>
    globs.some((matches) => matches(subtree ? posix.join(real, ANY_NAME) : real));
  return ({ paths, command }) =>
    command === undefined ? paths.length > 0 && paths.every(covers) : argv !== undefined;
}

/** A call that costs money is allowed only by a rule with a cost, or by one that names model calls. */
function coversMoney({ tier, cost_usd: cost, tool }: When): Condition | undefined {
  const speaksOfMoney = tier?.includes(3) || cost !== undefined;
  if (speaksOfMoney) return undefined;
  const speaksOfChat = tool?.includes('chat') === true;
  return (call) => !call.tiers.includes(3) || (speaksOfChat && call.tool === 'chat');
}
