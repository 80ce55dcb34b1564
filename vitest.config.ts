import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './test/runner/longest-first.ts';

/** They take all processors, or measure what a busy machine delays: each runs alone among the tests, after all others. */
const ALONE = [
  'test/isolation/fork-bomb.test.ts',
  'test/terminal/busy-keys.test.ts',
  'test/web/lists.test.ts',
  'test/web/story.test.ts',
  'test/web/stream.test.ts',
];

/** Tests that change the environment of their process, need its limits, signal it, or need a module as it was loaded. */
const OWN_PROCESS = [
  'src/app/doctor/checks/check-core-files.test.ts',
  'src/cli/report/lines/run-lines.test.ts',
  'src/db/uuidv7.test.ts',
  'src/hooks/hooks.test.ts',
  'src/runtime/sandbox/protect/known-folders.test.ts',
  'src/runtime/sandbox/protect/quarantine-new-files.test.ts',
  'src/tools/terminal.test.ts',
  'test/author/**/*.test.ts',
  'test/isolation/**/*.test.ts',
  'test/kill/**/*.test.ts',
  'test/package.test.ts',
];

const { exclude } = configDefaults;

export default defineConfig({
  test: {
    pool: 'forks',
    // Most tests wait for processes that they started, or for the disk.
    maxWorkers: 2 * availableParallelism(),
    // For a CI machine that stalls: a test that passes waits for none of these.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // CI machines stall now and then, and some tests have deadlines. The reporter marks a test that was run twice.
    retry: process.env['CI'] ? 1 : 0,
    // The projects load the same sources: each is transformed once, not once for each.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/runner/line-reporter.ts'],
    setupFiles: ['test/runner/close-inherited.ts', 'test/runner/compare-bytes.ts'],
    globalSetup: './test/runner/global-setup.ts',
    env: {
      // It alone makes every Node that a test starts take three times as long; only npm needs it.
      NODE_EXTRA_CA_CERTS: '',
      NPM_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'] ?? '',
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'processes',
          include: OWN_PROCESS,
          exclude: [...exclude, ...ALONE],
          sequence: { groupOrder: 0 },
        },
      },
      // Files of one project share a process, which would otherwise load the same modules again for each.
      {
        extends: true,
        test: {
          name: 'programs',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...exclude, ...ALONE, ...OWN_PROCESS],
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['src/**/*.test.{ts,tsx}', 'offline/**/*.test.ts'],
          exclude: [...exclude, ...OWN_PROCESS],
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ALONE,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
