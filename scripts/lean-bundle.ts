import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plugin, transformSync } from 'esbuild';

const stub = (name: string) => join(import.meta.dirname, 'stubs', name);

/** Packages that a bundle replaces with stubs. The reason is at the top of each stub. */
const standIns: readonly (readonly [RegExp, string])[] = [
  [/^langsmith(\/|$)/, 'langsmith.ts'],
  [/^zod\/v3$/, 'zod-v3.ts'],
  [/^sharp$/, 'sharp.ts'],
  [/^onnxruntime-web$/, 'onnxruntime-web.ts'],
  [/^yoga-layout$/, 'yoga-layout.ts'],
  [/^bindings$/, 'bindings.cjs'],
  [/^sqlite-vec$/, 'sqlite-vec.cjs'],
  [/^@fastify\/(ajv-compiler|fast-json-stringify-compiler)$/, 'fastify-compiler.cjs'],
];

/** Files inside packages whose text is replaced. */
const cuts: readonly (readonly [RegExp, string])[] = [
  // Ink draws nothing in CI. Whether anything is drawn is decided before Ink is loaded.
  [/is-in-ci[\\/]index\.js$/, 'export default false;'],
  // Error messages in some fifty languages, of which one is used.
  [
    /zod[\\/]v[34][\\/](core[\\/])?locales[\\/]index\.[cm]?js$/,
    "export { default as en } from './en.js';",
  ],
  // Every class of LangChain by name, to revive it from a stored checkpoint. Capstan's checkpoints hold plain data.
  [
    /@langchain[\\/]core[\\/]dist[\\/]load[\\/]import_map\.js$/,
    'export const import_map_exports = {};',
  ],
  // Creates an id for every step of a graph, byte by byte and hashed in JavaScript.
  [
    /@langchain[\\/]langgraph-checkpoint[\\/]dist[\\/]id\.js$/,
    readFileSync(stub('checkpoint-id.js'), 'utf8'),
  ],
  // Callbacks of a graph, for example to trace it. There are none.
  [
    /@langchain[\\/]core[\\/]dist[\\/]callbacks[\\/]manager\.js$/,
    `export class CallbackManager { static _configureSync() {} }
    export const ensureHandler = undefined;`,
  ],
  // Draws random ids with Web Crypto, which takes longer to load than to create all ids of a run. The replacement draws
  // them
  // in bulk from the system.
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
  // Loads all of the package.
  [
    /@langchain[\\/]langgraph[\\/]dist[\\/]web\.js$/,
    `export { Annotation } from './graph/annotation.js';
    export { END, START } from './constants.js';
    export { StateGraph } from './graph/state.js';`,
  ],
  // Hashes the name of every step in JavaScript, to find the answers of an interrupted graph.
  [
    /@langchain[\\/]langgraph[\\/]dist[\\/]hash\.js$/,
    `import { hash } from 'node:crypto';
    export const XXH3 = (text) => hash('sha256', text, 'hex').slice(0, 32);
    export const isXXH3 = (text) => /^[0-9a-f]{32}$/.test(text);`,
  ],
  // Checks the environment at every step of a graph for tracing, which is slow. No variable may change what a graph
  // does.
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

/** Number of parses after which zod compiles a parser for an object: compiling takes as long as some hundred parses. */
const FEW_PARSES = 16;

/** Single passages inside packages: the file, the original text, its replacement. */
const edits: readonly (readonly [RegExp, string, string])[] = [
  // A schema for the ends of a drawing.
  [/@langchain[\\/]langgraph[\\/]dist[\\/]graph[\\/]graph\.js$/, 'import { z } from "zod/v4";', ''],
  // Runs a node and then its writers. LangChain's sequence would call callbacks for each, which nothing uses.
  [
    /@langchain[\\/]langgraph[\\/]dist[\\/]pregel[\\/]read\.js$/,
    'else if (writers.length > 0) return new RunnableSequence({',
    `else if (writers.length > 0) return {
      invoke: async (input, config) => {
        let value = input;
        for (const step of [this.bound, ...writers]) value = await step.invoke(value, config);
        return value;
      },
    };
    else if (writers.length > 0) return new RunnableSequence({`,
  ],
  // Web streams, of which a graph without streaming needs little.
  [
    /@langchain[\\/]core[\\/]dist[\\/]utils[\\/]stream\.js$/,
    'var IterableReadableStream = class IterableReadableStream extends ReadableStream {',
    `${readFileSync(stub('plain-stream.js'), 'utf8')}
    var IterableReadableStream = class IterableReadableStream extends PlainStream {`,
  ],
  // A function that is not traced is called directly: its configuration was completed for the step that it is a part
  // of.
  [
    /@langchain[\\/]langgraph[\\/]dist[\\/]utils\.js$/,
    'const config = ensureLangGraphConfig(options);',
    `if (!this.trace && options?.configurable) {
      returnValue = await this.func(input, options);
      return Runnable.isRunnable(returnValue) && this.recurse ? returnValue.invoke(input, options) : returnValue;
    }
    const config = ensureLangGraphConfig(options);`,
  ],
  // Signals that abort a whole invocation, or the other nodes of a step. Capstan's runs stop by themselves, and its steps
  // have one node.
  [
    /@langchain[\\/]langgraph[\\/]dist[\\/]pregel[\\/]index\.js$/,
    'signal: config.signal',
    'signal: undefined',
  ],
  [
    /@langchain[\\/]langgraph[\\/]dist[\\/]pregel[\\/]runner\.js$/,
    'const exceptionSignal = exceptionSignalController.signal;',
    'const exceptionSignal = undefined;',
  ],
  // Loads React's developer tools if DEV is set, with its own version check and a top-level `await`.
  [/ink[\\/]build[\\/]reconciler\.js$/, "await import('./devtools.js');", ''],
  [/ink[\\/]build[\\/]reconciler\.js$/, 'await loadPackageJson()', '{}'],
  // Most schemas of a run parse only one or two values.
  [
    /zod[\\/]v4[\\/]core[\\/]schemas\.js$/,
    'if (jit && fastEnabled && ctx?.async === false && ctx.jitless !== true) {',
    `if (jit && fastEnabled && ctx?.async === false && ctx.jitless !== true && (fastpass || (inst._zod.parses = (inst._zod.parses ?? 0) + 1) > ${FEW_PARSES})) {`,
  ],
];

/**
 * Files of LangChain for what no graph of Capstan does: to trace, stream, draw or queue it, to define it by functions, and
 * to describe its state by zod schemas or as chat messages.
 */
const leftOut = [
  'core/dist/messages/index',
  'core/dist/runnables/graph',
  'core/dist/runnables/history',
  'core/dist/tracers/event_stream',
  'core/dist/tracers/log_stream',
  'core/dist/tracers/root_listener',
  'core/dist/utils/async_caller',
  'core/dist/utils/json_schema',
  'core/dist/utils/types/zod',
  'langgraph/dist/pregel/messages',
  'langgraph/dist/pregel/messages-v2',
  'langgraph/dist/state/index',
  'langgraph/dist/stream/index',
  'langgraph/dist/stream/run-stream',
].map((file) => new RegExp(`@langchain/${file}\\.js$`.replaceAll('/', '[\\\\/]')));

/** The same exports: predicates are false, everything else throws. */
function withoutContent(path: string): string {
  const [, list = ''] = /^export \{ (.*) \};$/m.exec(readFileSync(path, 'utf8')) ?? [];
  const names = list
    .split(', ')
    .filter(Boolean)
    .map((name) => name.replace(/^.* as /, ''));
  return names
    .map((name) =>
      name.startsWith('is')
        ? `export const ${name} = () => false;`
        : `export class ${name} { constructor() { throw new Error('left out of the bundle: ${name}'); } }`,
    )
    .join('\n');
}

/** The files that a bundle's packages must have: the changed ones, and the stubs that are loaded. */
export const patchedFiles: readonly RegExp[] = [
  ...new Map([...cuts, ...edits].map(([filter]) => [filter.source, filter])).values(),
  ...leftOut,
  ...standIns.map(([, file]) => new RegExp(`stubs[\\\\/]${file.replace('.', '\\.')}$`)),
];

/** @throws Error if a passage is not there: another version of the package wants another edit. */
function edited(path: string): string {
  const wanted = edits.filter(([filter]) => filter.test(path));
  return wanted.reduce(
    (text, [, passage, instead]) => {
      if (text.split(passage).length !== 2)
        throw new Error(`${path} does not hold once: ${passage}`);
      return text.replace(passage, () => instead);
    },
    readFileSync(path, 'utf8'),
  );
}

/** Node's own modules that take a millisecond or more to load and that not every command needs. */
const slowBuiltins = [
  'child_process',
  'crypto',
  'dns',
  'dns/promises',
  'fs/promises',
  'http',
  'http2',
  'https',
  'net',
  'readline',
  'readline/promises',
  'tls',
  'worker_threads',
  'zlib',
];

/** The beginning of a bundle: its `require` loads a slow module of Node's at the first use. */
export const requireWhenUsed = transformSync(readFileSync(stub('require-when-used.js'), 'utf8'), {
  define: { SLOW_BUILTINS: JSON.stringify(slowBuiltins.join(' ')) },
  minifyWhitespace: true,
  minifySyntax: true,
}).code.trim();

/** Large packages that few runs load: each becomes a separate bundle. */
export const apart: ReadonlyMap<string, string> = new Map([
  ['@pydantic/genai-prices', 'genai-prices.cjs'],
  ['execa', 'execa.cjs'],
  ['yaml', 'yaml.cjs'],
]);

/** All code that draws in a terminal shares one bundle, so that there is one React. Its entry: stubs/ink.cjs. */
export const drawing = { entry: stub('ink.cjs'), file: 'ink.cjs' };

const ownSource = /[\\/]src[\\/].*\.tsx?$/;

/** Leaves out of a bundle what Capstan never uses: less to load, and no path for telemetry. */
export const leanBundle: Plugin = {
  name: 'lean-bundle',
  setup(build) {
    for (const [filter, file] of standIns) {
      build.onResolve({ filter }, ({ importer }) =>
        importer === stub(file) ? undefined : { path: stub(file) },
      );
    }
    build.onResolve({ filter: /^[@a-z]/ }, ({ path, kind }) => {
      const file = kind === 'dynamic-import' ? apart.get(path) : undefined;
      return file === undefined ? undefined : { path: `./${file}`, external: true };
    });
    build.onResolve({ filter: /^(ink|react|react\/jsx-runtime)$/ }, ({ importer }) =>
      ownSource.test(importer) ? { path: `./${drawing.file}`, external: true } : undefined,
    );
    for (const filter of leftOut) {
      build.onLoad({ filter }, ({ path }) => ({ contents: withoutContent(path), loader: 'js' }));
    }
    for (const [filter, contents] of cuts) {
      build.onLoad({ filter }, () => ({ contents, loader: 'js' }));
    }
    for (const [filter] of edits) {
      build.onLoad({ filter }, ({ path }) => ({ contents: edited(path), loader: 'js' }));
    }
  },
};
