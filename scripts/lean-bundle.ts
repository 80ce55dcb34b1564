import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

const require = createRequire(import.meta.url);

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
  // Draws random ids by way of Web Crypto, which takes longer to load than all ids of a run to draw. Here they are drawn
  // from the system many at once.
  [
    /@langchain[\\/]core[\\/]dist[\\/]utils[\\/]uuid[\\/]rng\.js$/,
    `import { randomFillSync } from 'node:crypto';
    const pool = new Uint8Array(4096);
    let used = pool.length;
    export default () => {
      if (used === pool.length) {
        randomFillSync(pool);
        used = 0;
      }
      return pool.slice(used, (used += 16));
    };`,
  ],
  // Asks the environment at every step of a graph whether to trace, which is slow. No variable may change what a graph does.
  [
    /@langchain[\\/]core[\\/]dist[\\/]utils[\\/]env\.js$/,
    `export const env_exports = {};
    export const isBrowser = () => false;
    export const isWebWorker = () => false;
    export const isJsDom = () => false;
    export const isDeno = () => false;
    export const isNode = () => true;
    export const getEnv = () => 'node';
    export const getRuntimeEnvironment = () => ({ library: 'langchain-js', runtime: 'node' });
    export const getEnvironmentVariable = () => undefined;`,
  ],
];

/**
 * Node's own modules that take a millisecond or more to load, and that not every command needs. Only such whose exports
 * are a plain object.
 */
const slowBuiltins = new Set(
  'child_process crypto dns dns/promises fs/promises http https net readline readline/promises tls worker_threads zlib'.split(
    ' ',
  ),
);

/** A module that loads a builtin when one of its exports is first used. */
function whenUsed(builtin: string): string {
  const names = Object.getOwnPropertyNames(require(builtin));
  const getters = names.map(
    (name) => `get ${name}() { return (loaded ??= require('${builtin}')).${name}; }`,
  );
  return `let loaded;\nmodule.exports = {\n${getters.join(',\n')}\n};`;
}

/** Leaves out of a bundle what Capstan never uses: less to load, and no way out for telemetry. */
export const leanBundle: Plugin = {
  name: 'lean-bundle',
  setup(build) {
    for (const [filter, file] of standIns) {
      build.onResolve({ filter }, () => ({ path: stub(file) }));
    }
    build.onResolve({ filter: /^(node:)?[a-z_/]+$/ }, ({ path, namespace }) => {
      const name = path.replace(/^node:/, '');
      const isSlow = isBuiltin(path) && slowBuiltins.has(name);
      if (!isSlow || namespace === 'when-used') return undefined;
      return { path: `node:${name}`, namespace: 'when-used', sideEffects: false };
    });
    build.onLoad({ filter: /./, namespace: 'when-used' }, ({ path }) => ({
      contents: whenUsed(path),
      loader: 'js',
    }));
    for (const [filter, contents] of cuts) {
      build.onLoad({ filter }, () => ({ contents, loader: 'js' }));
    }
  },
};
