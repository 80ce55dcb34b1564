import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'offline/**/*.test.ts', 'test/**/*.test.{ts,tsx}'],
    pool: 'forks',
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
  },
});
