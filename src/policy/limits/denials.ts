import { relative, sep } from 'node:path';
import { grantsShell, type ToolGrant } from '../../contract/permissions/grant.ts';
import type { Operation } from '../../contract/permissions/operation.ts';
import { withFullStop } from '../../contract/text/full-stop.ts';
import { type Check, type Denial, firstDenial } from '../decide/decision.ts';
import { tiersOf } from '../decide/table.ts';
import type { CallFacts, HookAnswer, ToolCallFacts } from '../decide/tool-call-facts.ts';
import { grantsArgv, grantsHost, grantsOperation, grantsPath } from '../grants/grants.ts';
import { urlsOf } from '../names/host-name.ts';
import { REDACTED } from '../secrets/redact.ts';

/** Step 1: denials without exception. The first match is reported. */
export const denialOf = (operation: Operation, facts: ToolCallFacts): Denial | undefined =>
  firstDenial(toolChecks, facts, operation);

/** Denies what a hook of the user denies. */
export const hookDenies: Check<[CallFacts]> = [
  'hook_deny',
  ({ hook }) => hook?.answer === 'deny' && hookSentence(hook),
];

/** The sentence about the answer of a hook. */
export const hookSentence = ({ hook, answer, why }: HookAnswer): string =>
  `The hook "${hook}" says ${answer}${why === '' ? '.' : `: ${withFullStop(why)}`}`;

/** Denials of calls of tools and of models. */
export const sharedChecks: readonly Check<[CallFacts]>[] = [
  [
    'rules_unreadable',
    ({ rules }) =>
      rules === 'unreadable' &&
      "A rules file can't be read, so nothing is allowed until it is corrected.",
  ],
  hookDenies,
  [
    'breaker_open',
    ({ breaker }) =>
      breaker &&
      `${breaker.subject} failed too often and is paused for another ${Math.ceil(breaker.restMs / 1_000)} s.`,
    'provider',
  ],
];

const toolChecks: readonly Check<[ToolCallFacts, Operation]>[] = [
  [
    'tool_not_granted',
    ({ grant }, { tool }) => !grant && `The capsule's manifest grants it no ${tool}.`,
  ],
  [
    'operation_not_granted',
    ({ grant }, operation) =>
      grant &&
      !grantsOperation(grant, operation.name) &&
      notGranted(operation.name, operation, 'operations', grant.operations),
  ],
  ['path_unknown', unknownPath],
  ['path_outside', homeNamed],
  ['path_outside', pathOutside],
  ['protected_path', pathProtected],
  ['path_not_granted', pathNotGranted],
  ['host_not_granted', hostNotGranted],
  ['command_not_granted', commandNotGranted],
  [
    'service_unknown',
    ({ services }, { service }) =>
      service !== undefined &&
      !services?.has(service) &&
      `No service "${service}" is configured (services.yaml) and granted to the capsule (grants.services).`,
  ],
  [
    'service_refused',
    ({ serviceProblem }) =>
      serviceProblem !== undefined && `The service can't be used: ${serviceProblem}.`,
  ],
  [
    'secret_in_request',
    ({ holdsSecret }) =>
      holdsSecret &&
      'The request contains a secret of the user. Secrets are never sent or written.',
  ],
  [
    'placeholder_in_write',
    (_facts, { content = '', inserted = '', command }) =>
      [content, inserted, command?.access === 'write' ? JSON.stringify(command) : ''].some((text) =>
        text.includes(REDACTED),
      ) && `It would write ${REDACTED} in place of a secret, which would be lost.`,
  ],
  [
    'isolation_too_low',
    ({ isolation }, { command }) =>
      command && isolation === 'C' && 'Nothing is executed at isolation level C.',
    'isolation',
  ],
  [
    'network_needs_level_a',
    ({ isolation }, { network }) =>
      network &&
      isolation !== 'A' &&
      `A command gets network at isolation level A only, and ${isolation} is in force.`,
    'isolation',
  ],
  [
    'gate_deny',
    (facts, operation) => {
      const closed = gatesOf(operation, facts).find(({ mode }) => mode === 'deny');
      return closed && `${closed.setting} is set to deny.`;
    },
  ],
  ...sharedChecks,
];

type Problem = ReturnType<Check<[]>[1]>;

/** Denies a call whose facts do not cover all of its paths. */
function unknownPath({ paths }: ToolCallFacts, operation: Operation): Problem {
  const missing = operation.paths.find(({ path }, at) => paths[at]?.path !== path);
  return missing && `Nothing is known of "${missing.path}".`;
}

/** `~` means the home folder only in a shell; no tool expands it. A folder with that name is `./~`. */
function homeNamed({ paths, workspace }: ToolCallFacts): Problem {
  const found = paths.find(({ path }) => /^~(?:\/|$)/.test(path));
  return (
    found &&
    `"${found.path}" is outside the workspace (${workspace}). "~" is not expanded: write the path relative to the workspace.`
  );
}

function pathOutside({ paths, workspace }: ToolCallFacts): Problem {
  const outside = paths.find(({ realPath }) => below(workspace, realPath) === undefined);
  return outside && `"${outside.path}" is outside the workspace (${workspace}).`;
}

function pathProtected({ paths }: ToolCallFacts): Problem {
  const found = paths.find(({ isProtected }) => isProtected);
  return (
    found &&
    `"${found.path}" is a protected path: no tool may ${found.access} it. Only the user's setting CAPSTAN_OPEN_PATHS opens such a path.`
  );
}

function pathNotGranted({ paths, grant, workspace }: ToolCallFacts, operation: Operation): Problem {
  const refused = operation.paths.find(({ subtree }, at) => {
    const place = below(workspace, paths[at]?.realPath ?? '');
    return place === undefined || !grantsPath(grant ?? {}, place, subtree);
  });
  if (refused === undefined) return undefined;
  const what = refused.subtree ? `all below "${refused.path}"` : `"${refused.path}"`;
  return notGranted(what, operation, 'paths', grant?.paths);
}

function hostNotGranted({ grant }: ToolCallFacts, operation: Operation): Problem {
  const refused = urlsOf(operation).find((one) => !grantsHost(grant ?? {}, one));
  return refused && notGranted(refused.host, operation, 'hosts', grant?.hosts);
}

function commandNotGranted({ grant = {} }: ToolCallFacts, operation: Operation): Problem {
  const { command } = operation;
  if (command === undefined || grantsCommand(grant, command)) return undefined;
  const whats = { argv: 'this command', shell: 'a shell string', python: 'Python code' };
  return notGranted(whats[command.kind], operation, 'commands', grant.commands);
}

/** Names the list of the manifest that would have to be longer. */
function notGranted(
  what: string,
  { tool }: Operation,
  list: 'operations' | 'paths' | 'hosts' | 'commands',
  granted: readonly string[] = [],
): string {
  const field = `grants.tools.${tool}.${list}`;
  const between = list === 'commands' ? '; ' : ', ';
  return `The capsule is not granted ${what} (${field} in its manifest: ${granted.join(between) || 'none'}).`;
}

/** Code has no words to match: it is granted with its tool, unless there are commands without `**`. */
function grantsCommand(grant: ToolGrant, command: NonNullable<Operation['command']>): boolean {
  if (command.kind === 'argv') return grantsArgv(grant, command.argv);
  const isCode = command.kind === 'python' && grant.commands === undefined;
  return isCode || grantsShell(grant);
}

/** The gates of an operation: one for each of its tiers with a gate. */
export const gatesOf = (operation: Operation, facts: ToolCallFacts) =>
  tiersOf(operation, facts)
    .filter((tier) => tier !== 0)
    .filter((tier) => tier !== 3 || !facts.isSpendAgreed)
    .map((tier) => ({ mode: facts.gates[GATES[tier].gate], setting: GATES[tier].setting }));

const GATES = {
  1: { gate: 'write', setting: 'CAPSTAN_WRITE_GATE' },
  2: { gate: 'execute', setting: 'CAPSTAN_EXECUTE_GATE' },
  3: { gate: 'spend', setting: 'CAPSTAN_SPEND_GATE' },
} as const;

/** A path relative to the workspace, with `/`; undefined if it is outside. */
function below(workspace: string, path: string): string | undefined {
  if (path === '') return undefined;
  const place = relative(workspace, path).split(sep).join('/');
  return place === '..' || place.startsWith('../') || /^([a-z]:)?\//i.test(place)
    ? undefined
    : place || '.';
}
