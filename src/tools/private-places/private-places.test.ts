import { describe, expect, it } from 'vitest';
import { startCpuClock } from '../../../test/setup/cpu-clock.ts';
import { discardedPlaces, type PlacesRequest, watchedPlaces } from './guard-places.ts';
import { namedPlaces, removedPlaces } from './named-places.ts';
import { personalCommandsIn } from './personal-commands.ts';

const context = { level: 'A', workspace: '/tmp/ws' } as const;
const request = (command: string, changes: Partial<PlacesRequest> = {}): PlacesRequest => ({
  ...context,
  command,
  task: '',
  ...changes,
});

describe('namedPlaces', () => {
  it.each<[string, readonly string[]]>([
    ['cp a /tmp/x', ['/tmp/x']],
    ['cp a /tmp/x/', ['/tmp/x']],
    ['cp a /tmp', ['/tmp/']],
    ['a > /tmp/x; b >/tmp/y', ['/tmp/x', '/tmp/y']],
    ['dd of=/tmp/x; curl -d @/tmp/y --out=/tmp/z', ['/tmp/x', '/tmp/y', '/tmp/z']],
    ['a "/tmp"/x "$HOME"/y', ['/tmp/x', '~/y']],
    [`a \${HOME}/x \${HOME:-/y}/x $HOME`, ['~/x', '~/']],
    ['a /tmp/./x /tmp//y /tmp/z/../w', ['/tmp/x', '/tmp/y', '/tmp/w']],
    ['Save it as /tmp/report.txt.', ['/tmp/report.txt']],
    ['Save it in `~/notes`, please', ['~/notes']],
    ["open(f'/tmp/x-{i}.txt')", ['/tmp/x-']],
    ['cp a /tmp/ws/x; ls /tmp/ws', []],
    ['cp a /tmp/wsx', ['/tmp/wsx']],
    ['cp a src/tmp/x ./tmp/x $PWD/tmp/x', []],
    ['cp a ../x; mkdir src/../../y', ['/tmp/x', '/tmp/y']],
    ['cp a "../x" -o../y --to=./../z >../w', ['/tmp/x', '/tmp/y', '/tmp/z', '/tmp/w']],
    ['cp a ..; cat ../ws/b src/../c 1..5 a...b', ['/tmp/']],
    ['Save it as ../report.txt.', ['/tmp/report.txt']],
    ['cat ../../etc/hosts', []],
    ['cd; a > b', ['~/']],
    ['bash -c "cd && a"', ['~/']],
    ['mkdir x\ncd\n', ['~/']],
    ['cd src; abcd; cd-x; cd', []],
    ['ls /tmpfs /usr/tmp a~ HEAD~1 HEAD~ ~5', []],
    ['cat /tmp/../etc/hosts', []],
    ['mktemp /tmp/foo.XXXXXX', []],
    ['npm ci --cache /tmp/npm; PIP_CACHE_DIR=/tmp/pip pip list', []],
    ['HOME=/tmp/home TMPDIR=/tmp/t npm test', []],
    ['T=/tmp; cp a $T/x', ['/tmp/']],
    ['echo $HOME-old; cp a /tmp/x }', ['/tmp/x']],
  ])('finds the places named in: %s', (text, places) => {
    expect(namedPlaces(text, context)).toEqual(places);
  });

  it('resolves paths from the folder of the call, and knows the folders around the workspace', () => {
    const inner = { level: 'A', workspace: '/tmp/a/ws', folder: '/tmp/a/ws/src' } as const;
    expect(namedPlaces('cp x ../y ../../z ../../../w', inner)).toEqual(['/tmp/a/z', '/tmp/w']);
    expect(namedPlaces('cp x ../.. /tmp/a', inner)).toEqual(['/tmp/a/']);
    expect(
      namedPlaces('cp x ../../z', { ...inner, workspace: '/root/ws', folder: '/root/ws' }),
    ).toEqual([]);
  });

  it('knows only the home if /tmp is not private', () => {
    const other = { ...context, level: 'none' } as const;
    expect(namedPlaces('cp /tmp/x ~/y $TMPDIR/z', other)).toEqual(['~/y', '~/z']);
  });
});

describe('removedPlaces', () => {
  it.each<[string, readonly string[]]>([
    ['rm -rf /tmp/old ~/.npmrc', ['/tmp/old', '~/.npmrc']],
    ['a > /tmp/x && rm /tmp/x', []],
    ['mkdir /tmp/x; touch /tmp/x/y; rm -r /tmp/x', []],
    ['find ~/old -name "*.bak" -delete', ['~/old']],
    ['ls /tmp/x', []],
    ['cd src && rm ../x', []],
  ])('finds removed files that were not created in: %s', (text, places) => {
    expect(removedPlaces(text, context)).toEqual(places);
  });
});

describe('personalCommandsIn', () => {
  it.each([
    'git config --global user.name z',
    '/usr/bin/git -C x config --add --global a b',
    'cd x && npm config set fund false',
    'npm set fund=false',
    'python3 -m pip config set global.index-url x',
    "subprocess.run(['gh', 'config', 'set', 'editor', 'vi'])",
    'ssh-keygen -t ed25519',
    'pnpm config set a b',
    'yarn config set a b',
    'npm cache clean --force',
    'crontab jobs.txt',
    'echo x | crontab -',
  ])('knows: %s', (text) => {
    expect(personalCommandsIn(text)).not.toEqual([]);
  });

  it.each(['git config user.name z', 'npm test', 'pip list', 'crontab -l', 'echo npm cache clean'])(
    'does not know: %s',
    (text) => {
      expect(personalCommandsIn(text)).toEqual([]);
    },
  );
});

it('reads a long command that is made to be slow in little time', () => {
  const long = (text: string) => text.repeat(100_000 / text.length);
  const cpuMs = startCpuClock();
  for (const text of [
    'cache',
    ';HOME=x',
    'git config ',
    ' /tmp/x;',
    '$HOME',
    '-cache',
    "'~/",
    'find /tmp ',
    '../',
    'cd ',
  ])
    watchedPlaces(request(long(text), { task: long(text) }));
  expect(cpuMs()).toBeLessThan(5_000);
});

describe('discardedPlaces', () => {
  const outcome = (...made: string[]) => ({ made, isSuccess: true });

  it('leaves out temporary files, logs and caches in a folder that is named as a whole', () => {
    const made = ['/tmp/tmp.Ab12Cd34Ef', '/tmp/npm-1234-aBcDef', '/tmp/app.log', '/tmp/.X11'];
    expect(discardedPlaces(request('ls /tmp'), outcome(...made, '/tmp/report.csv'))).toEqual([
      '/tmp/report.csv',
    ]);
  });

  it('counts such a name if the command names it', () => {
    expect(
      discardedPlaces(request('cp .npmrc app.log ~'), outcome('~/.npmrc', '~/app.log')),
    ).toEqual(['~/.npmrc', '~/app.log']);
  });

  it('counts a command that exists to change the home only if it succeeds', () => {
    const clean = request('npm cache clean --force');
    expect(discardedPlaces(clean, outcome())).toEqual(['~']);
    expect(discardedPlaces(clean, { made: [], isSuccess: false })).toEqual([]);
  });

  it('watches the places that the task names', () => {
    const saving = request('sh save.sh', { task: 'Run save.sh and keep ~/report.txt' });
    expect(watchedPlaces(saving)).toEqual(['~/report.txt']);
    expect(watchedPlaces(request('npm test'))).toEqual([]);
  });
});
