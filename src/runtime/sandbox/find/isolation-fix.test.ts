import { describe, expect, it } from 'vitest';
import { isolationFix, type NamespaceFacts } from './isolation-fix.ts';

const facts = (changes: Partial<NamespaceFacts> = {}): NamespaceFacts => ({
  ...{ hasBubblewrap: true, maxUserNamespaces: '96365', unprivilegedClone: undefined },
  ...{ apparmorRestricts: undefined, isContainer: false },
  ...changes,
});
const refused = 'A: bwrap: No permissions to create new namespace, likely because the kernel…';

describe.runIf(process.platform === 'linux')('the way to a better level', () => {
  it('is to install bubblewrap if it is missing', () => {
    const fix = isolationFix('A: bubblewrap is not installed', facts({ hasBubblewrap: false }));
    expect(fix).toMatch(/^Install bubblewrap: `sudo .* bubblewrap`\.$/);
  });

  it.each([
    [
      'user.max_user_namespaces=',
      'A: bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)',
      { maxUserNamespaces: '0' },
    ],
    ['kernel.unprivileged_userns_clone=1', refused, { unprivilegedClone: '0' }],
    [
      '/etc/apparmor.d/bwrap',
      'A: bwrap: setting up uid map: Permission denied',
      { apparmorRestricts: '1' },
    ],
    ['seccomp=unconfined', refused, { isContainer: true }],
    [
      'systempaths=unconfined',
      "A: bwrap: Can't mount proc on /newroot/proc: Operation not permitted",
      { isContainer: true },
    ],
    ['look for a setting', refused, {}],
  ])(
    'names %s if that disables user namespaces, and installs nothing',
    (named, reason, changes) => {
      const fix = isolationFix(`${reason}; B: python3 is not installed`, facts(changes));
      expect(fix).toContain(named);
      expect(fix).not.toContain('install');
    },
  );

  it('is to start again if the test was interrupted', () => {
    const why =
      'its test was interrupted (bwrap: Creating new namespace failed: Cannot allocate memory) and is repeated at the next start';
    const fix = isolationFix(`A: ${why}; B: python3 is not installed`, facts());
    expect(fix).toBe('The test of level A was interrupted: the next start repeats it.');
  });

  it('names all that is in the way', () => {
    const fix = isolationFix(
      'A: bubblewrap is not installed',
      facts({ hasBubblewrap: false, apparmorRestricts: '1' }),
    );
    expect(fix).toMatch(/Install bubblewrap: .*apparmor_parser/);
  });
});
