import { defineConfig } from 'vite';

/** Builds the dashboard as static files with hashed names in dist/web, which `serve` delivers. */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    target: 'chrome123',
    outDir: '../../../dist/web',
    emptyOutDir: true,
    // The content security policy allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rollupOptions: {
      onwarn(warning, warn) {
        // Packages mark their modules for frameworks that render on a server.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
  esbuild: { jsx: 'automatic', legalComments: 'none' },
  logLevel: 'warn',
});
