import { existsSync } from 'node:fs';

const lines: readonly (readonly [program: string, line: string])[] = [
  ['/usr/bin/apt-get', 'sudo apt-get install'],
  ['/usr/bin/dnf', 'sudo dnf install'],
  ['/usr/bin/pacman', 'sudo pacman -S'],
  ['/usr/bin/zypper', 'sudo zypper install'],
  ['/sbin/apk', 'sudo apk add'],
];

/** What to type to install a package on this machine: `sudo dnf install bubblewrap`. */
export function installLine(name: string, exists = existsSync): string {
  const [, line = 'sudo apt-get install'] = lines.find(([program]) => exists(program)) ?? [];
  return `${line} ${name}`;
}
