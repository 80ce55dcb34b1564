import { existsSync, readFileSync } from 'node:fs';
import { installLine } from './install-line.ts';
import { findLinuxPrograms } from './programs.ts';

/** What user namespaces depend on, which bubblewrap needs. */
export interface NamespaceFacts {
  readonly hasBubblewrap: boolean;
  /** As in /proc/sys; undefined where the kernel has no such setting. */
  readonly maxUserNamespaces: string | undefined;
  readonly unprivilegedClone: string | undefined;
  readonly apparmorRestricts: string | undefined;
  readonly isContainer: boolean;
}

const INSTALL = `Install bubblewrap: \`${installLine('bubblewrap')}\`.`;

/** Lets bubblewrap open user namespaces where AppArmor closes them. */
export const PROFILE_COMMAND =
  "printf 'abi <abi/4.0>,\\ninclude <tunables/global>\\nprofile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }\\n' | sudo tee /etc/apparmor.d/bwrap && sudo apparmor_parser -r /etc/apparmor.d/bwrap";

/**
 * What keeps this machine from level A and how to change it, in sentences.
 *
 * @param reason Why the level is no better, as `findIsolation` says it.
 */
export function isolationFix(reason: string, facts = namespaceFacts()): string {
  if (process.platform !== 'linux') return 'Level A needs Linux, with bubblewrap.';
  const causes = [
    ...(facts.hasBubblewrap ? [] : [INSTALL]),
    ...closedNamespaces(facts),
    ...(facts.hasBubblewrap && facts.isContainer && isClosed(reason) ? [IN_CONTAINER] : []),
  ];
  return causes.length > 0 ? causes.join(' ') : unknownCause(reason);
}

function closedNamespaces(facts: NamespaceFacts): string[] {
  const { maxUserNamespaces, unprivilegedClone, apparmorRestricts } = facts;
  return [
    ...(maxUserNamespaces === '0'
      ? [
          'The kernel allows no user namespaces (user.max_user_namespaces is 0): `sudo sysctl -w user.max_user_namespaces=15000`.',
        ]
      : []),
    ...(unprivilegedClone === '0'
      ? [
          'The kernel allows user namespaces to root only (kernel.unprivileged_userns_clone is 0): `sudo sysctl -w kernel.unprivileged_userns_clone=1`.',
        ]
      : []),
    ...(apparmorRestricts === '1'
      ? [
          `AppArmor allows user namespaces only to programs with a profile (kernel.apparmor_restrict_unprivileged_userns is 1, as in Ubuntu 24.04): give bubblewrap one with \`${PROFILE_COMMAND}\`.`,
        ]
      : []),
  ];
}

const IN_CONTAINER =
  'The container allows no user namespaces: start it with `--security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined` (Docker, Podman), or with `seccompProfile: {type: Unconfined}` and `procMount: Unmasked` (Kubernetes).';

/** In the words of bubblewrap, where the kernel refused it a namespace or a mount; reasons of lower levels follow. */
const isClosed = (reason: string): boolean =>
  /namespace|uid map|mount|permission|not permitted/i.test(reason.split(/; (?=[BC]: )/)[0] ?? '');

const unknownCause = (reason: string): string =>
  isClosed(reason)
    ? 'User namespaces, which bubblewrap needs, are closed here: look for a setting of the kernel, a security module or the container that refuses them.'
    : `Level A needs bubblewrap: \`${installLine('bubblewrap')}\`.`;

export function namespaceFacts(): NamespaceFacts {
  return {
    hasBubblewrap: findLinuxPrograms().bwrap !== undefined,
    maxUserNamespaces: read('/proc/sys/user/max_user_namespaces'),
    unprivilegedClone: read('/proc/sys/kernel/unprivileged_userns_clone'),
    apparmorRestricts: read('/proc/sys/kernel/apparmor_restrict_unprivileged_userns'),
    isContainer: isContainer(),
  };
}

const isContainer = (): boolean =>
  existsSync('/.dockerenv') ||
  existsSync('/run/.containerenv') ||
  existsSync('/run/secrets/kubernetes.io') ||
  /docker|containerd|kubepods|lxc|libpod/.test(read('/proc/1/cgroup') ?? '');

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}
