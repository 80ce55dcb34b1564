import { existsSync } from 'node:fs';
import { INTERRUPTED } from '../../../contract/permissions/isolation.ts';
import { textOfFile } from '../../../platform/try-or.ts';
import { installLine } from './install-line.ts';
import { findLinuxPrograms } from './programs.ts';

/** The facts that decide whether bubblewrap can create user namespaces. */
export interface NamespaceFacts {
  readonly hasBubblewrap: boolean;
  /** As in /proc/sys; empty or undefined if the kernel has no such setting. */
  readonly maxUserNamespaces: string | undefined;
  readonly unprivilegedClone: string | undefined;
  readonly apparmorRestricts: string | undefined;
  readonly isContainer: boolean;
}

const INSTALL = `Install bubblewrap: \`${installLine('bubblewrap')}\`.`;

/** Allows bubblewrap to create user namespaces if AppArmor denies them. */
export const PROFILE_COMMAND =
  "printf 'abi <abi/4.0>,\\ninclude <tunables/global>\\nprofile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }\\n' | sudo tee /etc/apparmor.d/bwrap && sudo apparmor_parser -r /etc/apparmor.d/bwrap";

/**
 * Why this machine does not have level A and how to fix it, in sentences.
 *
 * @param reason The reason for the level, from `findIsolation`.
 */
export function isolationFix(reason: string, facts = namespaceFacts()): string {
  if (process.platform !== 'linux') return 'Level A needs Linux, with bubblewrap.';
  if (facts.hasBubblewrap && reason.startsWith(`A: ${INTERRUPTED}`)) return AGAIN;
  const causes = [
    ...(facts.hasBubblewrap ? [] : [INSTALL]),
    ...closedNamespaces(facts),
    ...(facts.hasBubblewrap && facts.isContainer && isClosed(reason) ? [IN_CONTAINER] : []),
  ];
  return causes.length > 0 ? causes.join(' ') : unknownCause(reason);
}

const AGAIN = 'The test of level A was interrupted: the next start repeats it.';

function* closedNamespaces(facts: NamespaceFacts): Generator<string> {
  if (facts.maxUserNamespaces === '0')
    yield 'The kernel allows no user namespaces (user.max_user_namespaces is 0): `sudo sysctl -w user.max_user_namespaces=15000`.';
  if (facts.unprivilegedClone === '0')
    yield 'The kernel allows user namespaces to root only (kernel.unprivileged_userns_clone is 0): `sudo sysctl -w kernel.unprivileged_userns_clone=1`.';
  if (facts.apparmorRestricts === '1')
    yield `AppArmor allows user namespaces only to programs with a profile (kernel.apparmor_restrict_unprivileged_userns is 1, as in Ubuntu 24.04): give bubblewrap one with \`${PROFILE_COMMAND}\`.`;
}

const IN_CONTAINER =
  'The container allows no user namespaces: start it with `--security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined` (Docker, Podman), or with `seccompProfile: {type: Unconfined}` and `procMount: Unmasked` (Kubernetes).';

/** Whether bubblewrap reported that the kernel denied a namespace or a mount; reasons of lower levels may follow. */
const isClosed = (reason: string): boolean =>
  /namespace|uid map|mount|permission|not permitted/i.test(reason.split(/; (?=[BC]: )/)[0] ?? '');

const unknownCause = (reason: string): string =>
  isClosed(reason)
    ? 'User namespaces, which bubblewrap needs, are disabled here: look for a setting of the kernel, a security module or the container that denies them.'
    : `Level A needs bubblewrap: \`${installLine('bubblewrap')}\`.`;

function namespaceFacts(): NamespaceFacts {
  return {
    hasBubblewrap: findLinuxPrograms().bwrap !== undefined,
    maxUserNamespaces: setting('user/max_user_namespaces'),
    unprivilegedClone: setting('kernel/unprivileged_userns_clone'),
    apparmorRestricts: setting('kernel/apparmor_restrict_unprivileged_userns'),
    isContainer: isContainer(),
  };
}

const setting = (name: string): string => textOfFile(`/proc/sys/${name}`).trim();

const isContainer = (): boolean =>
  existsSync('/.dockerenv') ||
  existsSync('/run/.containerenv') ||
  existsSync('/run/secrets/kubernetes.io') ||
  /docker|containerd|kubepods|lxc|libpod/.test(textOfFile('/proc/1/cgroup'));
