import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

/** They take all processors or much memory: each runs alone, after all others. */
const ALONE = ['test/isolation/fork-bomb.test.ts', 'test/e2e/coordinator-memory.test.ts'];

export default defineConfig({
  test: {
    pool: 'forks',
    // Most tests wait for processes that they started.
    maxWorkers: availableParallelism(),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/line-reporter.ts'],
    setupFiles: ['test/close-inherited.ts'],
    globalSetup: './test/global-setup.ts',
    env: {
      // It alone makes every Node that a test starts take three times as long; only npm needs it.
      NODE_EXTRA_CA_CERTS: '',
      NPM_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'] ?? '',
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['src/**/*.test.{ts,tsx}', 'offline/**/*.test.ts', 'test/**/*.test.{ts,tsx}'],
          exclude: ALONE,
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
