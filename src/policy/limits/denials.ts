import { relative, sep } from 'node:path';
import type { GateMode } from '../../contract/gate.ts';
import type { ToolGrant } from '../../contract/grant.ts';
import type { Operation } from '../../contract/operation.ts';
import { withFullStop } from '../../contract/text/full-stop.ts';
import type { Decision, DenialReason } from '../decide/decision.ts';
import { urlsOf } from '../decide/operation.ts';
import { tiersOf } from '../decide/table.ts';
import type {
  HookAnswer,
  OpenBreaker,
  PathFacts,
  ToolCallFacts,
} from '../decide/tool-call-facts.ts';
import {
  grantsArgv,
  grantsHost,
  grantsOperation,
  grantsPath,
  grantsShell,
} from '../grants/grants.ts';
import { REDACTED } from '../secrets/redact.ts';

type Denial = Extract<Decision, { kind: 'deny' }>;
type Check = (operation: Operation, facts: ToolCallFacts) => Denial | undefined;

/** Step 1: denials without exception. The first match is reported. */
export function denialOf(operation: Operation, facts: ToolCallFacts): Denial | undefined {
  for (const check of checks) {
    const denial = check(operation, facts);
    if (denial) return denial;
  }
  return undefined;
}

export const deny = (rule: string, sentence: string, reason: DenialReason = 'denied'): Denial => ({
  kind: 'deny',
  step: 1,
  rule,
  reason,
  sentence,
});

const toolNotGranted: Check = ({ tool }, { grant }) =>
  grant === undefined
    ? deny('tool_not_granted', `The capsule's manifest grants it no ${tool}.`)
    : undefined;

const operationNotGranted: Check = ({ name }, { grant }) =>
  grant !== undefined && !grantsOperation(grant, name)
    ? deny(
        'operation_not_granted',
        `The capsule is granted ${grant.operations?.join(', ')} only, not ${name}.`,
      )
    : undefined;

/** `~` means the home folder only in a shell; no tool expands it. A folder with that name is `./~`. */
const homeNamed: Check = (_operation, { paths, workspace }) => {
  const found = paths.find(({ path }) => /^~(?:\/|$)/.test(path));
  return (
    found &&
    deny(
      'path_outside',
      `"${found.path}" is outside the workspace (${workspace}). "~" is not expanded: write the path relative to the workspace.`,
    )
  );
};

const pathOutside: Check = (_operation, { paths, workspace }) => {
  const outside = paths.find(({ realPath }) => below(workspace, realPath) === undefined);
  return (
    outside && deny('path_outside', `"${outside.path}" lies outside the workspace (${workspace}).`)
  );
};

/** Denies a call whose facts do not cover all of its paths. */
const pathsUnknown: Check = (operation, { paths }) => {
  const missing = operation.paths.find(({ path }, at) => paths[at]?.path !== path);
  return missing && deny('path_unknown', `Nothing is known of "${missing.path}".`);
};

const pathNotGranted: Check = (operation, { paths, grant, workspace }) => {
  const refused = operation.paths.find(({ subtree }, at) => {
    const place = below(workspace, paths[at]?.realPath ?? '');
    return place === undefined || !grantsPath(grant ?? {}, place, subtree);
  });
  if (refused === undefined) return undefined;
  const granted = grant?.paths?.join(', ') || 'none';
  const what = refused.subtree ? `all below "${refused.path}"` : `"${refused.path}"`;
  return deny('path_not_granted', `The capsule is not granted ${what} (its paths: ${granted}).`);
};

const pathProtected: Check = (_operation, { paths }) => {
  const found = paths.find(({ isProtected }: PathFacts) => isProtected);
  return (
    found &&
    deny(
      'protected_path',
      `"${found.path}" is a protected path: no tool may ${found.access} it. Only the person's setting CAPSTAN_OPEN_PATHS opens such a path.`,
    )
  );
};

const hostNotGranted: Check = (operation, { grant }) => {
  const refused = urlsOf(operation).find((one) => !grantsHost(grant ?? {}, one));
  return (
    refused &&
    deny(
      'host_not_granted',
      `The capsule is not granted ${refused.host} (its hosts: ${grant?.hosts?.join(', ') || 'none'}).`,
    )
  );
};

const networkUnfiltered: Check = ({ network }, { isolation }) =>
  network !== undefined && isolation !== 'A'
    ? deny(
        'network_needs_level_a',
        `A command gets network at isolation level A only, and ${isolation} is in force.`,
        'isolation',
      )
    : undefined;

const commandNotGranted: Check = ({ command }, { grant = {} }) => {
  if (command === undefined || grantsCommand(grant, command)) return undefined;
  const what = { argv: 'this command', shell: 'a shell string', python: 'Python code' }[
    command.kind
  ];
  const granted = grant.commands?.join('; ') || 'none';
  return deny(
    'command_not_granted',
    `The capsule is not granted ${what} (its commands: ${granted}).`,
  );
};

/** Code has no words to match: it is granted with its tool, unless there are commands without `**`. */
function grantsCommand(grant: ToolGrant, command: NonNullable<Operation['command']>): boolean {
  if (command.kind === 'argv') return grantsArgv(grant, command.argv);
  const isCode = command.kind === 'python' && grant.commands === undefined;
  return isCode || grantsShell(grant);
}

const serviceUnknown: Check = ({ service }, { services }) =>
  service !== undefined && !services?.has(service)
    ? deny(
        'service_unknown',
        `No service "${service}" is configured (services.yaml) and granted to the capsule (grants.services).`,
      )
    : undefined;

const serviceRefuses: Check = (_operation, { serviceProblem }) =>
  serviceProblem === undefined
    ? undefined
    : deny('service_refused', `It can't be asked in the person's name: ${serviceProblem}.`);

const secretInRequest: Check = (_operation, { holdsSecret }) =>
  holdsSecret
    ? deny(
        'secret_in_request',
        'The request holds a secret of the person; secrets are never sent or written.',
      )
    : undefined;

const placeholderInWrite: Check = ({ content = '', inserted = '', command }) => {
  const text = command?.access === 'write' ? JSON.stringify(command) : '';
  return [content, inserted, text].some((part) => part.includes(REDACTED))
    ? deny(
        'placeholder_in_write',
        `It would write ${REDACTED} where a secret stood: the file would be lost.`,
      )
    : undefined;
};

const isolationTooLow: Check = ({ command }, { isolation }) =>
  command !== undefined && isolation === 'C'
    ? deny('isolation_too_low', 'Nothing is executed at isolation level C.', 'isolation')
    : undefined;

const gateDenies: Check = (operation, facts) => {
  const closed = gatesOf(operation, facts).find(({ mode }) => mode === 'deny');
  return closed && deny('gate_deny', `${closed.setting} is set to deny.`);
};

/** The reason why nothing is allowed. */
export const RULES_UNREADABLE =
  "A rules file can't be read, so nothing is allowed until it is corrected.";

const rulesUnreadable: Check = (_operation, { rules }) =>
  rules === 'unreadable' ? deny('rules_unreadable', RULES_UNREADABLE) : undefined;

export const hookDenies: Check = (_operation, { hook }) =>
  hook?.answer === 'deny' ? deny('hook_deny', hookSentence(hook)) : undefined;

/** The sentence of a hook's denial. */
export const hookSentence = ({ hook, answer, why }: HookAnswer): string =>
  `The hook "${hook}" says ${answer}${why === '' ? '.' : `: ${withFullStop(why)}`}`;

const breakerOpen: Check = (_operation, { breaker }) =>
  breaker && deny('breaker_open', breakerSentence(breaker), 'provider');

/** The sentence for a paused provider, with the remaining time. */
export const breakerSentence = ({ subject, restMs }: OpenBreaker): string =>
  `${subject} failed too often and is paused for another ${Math.ceil(restMs / 1_000)} s.`;

const checks: readonly Check[] = [
  toolNotGranted,
  operationNotGranted,
  pathsUnknown,
  homeNamed,
  pathOutside,
  pathProtected,
  pathNotGranted,
  hostNotGranted,
  commandNotGranted,
  serviceUnknown,
  serviceRefuses,
  secretInRequest,
  placeholderInWrite,
  isolationTooLow,
  networkUnfiltered,
  gateDenies,
  rulesUnreadable,
  hookDenies,
  breakerOpen,
];

export interface Gate {
  readonly mode: GateMode;
  readonly setting: string;
}

/** The gates of an operation: one for each of its tiers with a gate. */
export function gatesOf(operation: Operation, facts: ToolCallFacts): readonly Gate[] {
  return tiersOf(operation, facts)
    .filter((tier) => tier !== 0)
    .filter((tier) => tier !== 3 || !facts.isSpendAgreed)
    .map((tier) => ({ mode: facts.gates[GATES[tier].gate], setting: GATES[tier].setting }));
}

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
