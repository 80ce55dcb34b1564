import { join } from 'node:path';
import type { Plugin } from 'esbuild';

const stub = (name: string) => join(import.meta.dirname, 'stubs', name);

/** Packages that a bundle gets a stand-in for. Why: the comment at the top of each stand-in. */
const standIns: readonly (readonly [RegExp, string])[] = [
  [/^langsmith(\/|$)/, 'langsmith.ts'],
  [/^js-tiktoken(\/|$)/, 'js-tiktoken.ts'],
  [/^sharp$/, 'sharp.ts'],
  [/^onnxruntime-web$/, 'onnxruntime-web.ts'],
];

/** Files inside packages whose text is replaced. */
const cuts: readonly (readonly [RegExp, string])[] = [
  // Some fifty languages of error messages, of which one is shown.
  [
    /zod[\\/]v[34][\\/](core[\\/])?locales[\\/]index\.[cm]?js$/,
    "export { default as en } from './en.js';",
  ],
  // Every class of LangChain by name, so that a stored checkpoint could revive any of them. Ours hold plain data.
  [
    /@langchain[\\/]core[\\/]dist[\\/]load[\\/]import_map\.js$/,
    'export const import_map_exports = {};',
  ],
  // Hashes the id of every step of a graph: in JavaScript that is a twentieth of a cold run, in OpenSSL nothing.
  [
    /@langchain[\\/]core[\\/]dist[\\/]utils[\\/]uuid[\\/]sha1\.js$/,
    `import { createHash } from 'node:crypto';
    export default (bytes) => new Uint8Array(createHash('sha1').update(bytes).digest());`,
  ],
];

/** Leaves out of a bundle what Capstan never uses: less to load, and no way out for telemetry. */
export const leanBundle: Plugin = {
  name: 'lean-bundle',
  setup(build) {
    for (const [filter, file] of standIns) {
      build.onResolve({ filter }, () => ({ path: stub(file) }));
    }
    for (const [filter, contents] of cuts) {
      build.onLoad({ filter }, () => ({ contents, loader: 'js' }));
    }
  },
};
