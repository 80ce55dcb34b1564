import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default', './test/line-reporter.ts'],
    globalSetup: './test/global-setup.ts',
    env: { NODE_EXTRA_CA_CERTS: '' },
  },
});
