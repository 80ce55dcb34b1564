const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const v8 = require('node:v8');
const vm = require('node:vm');
const Module = require('node:module');
const codeCache = require('./code-cache.js');

/** Exit codes of runs that ended before they had compiled much: not worth remembering. */
const EARLY_ENDS = new Set([2, 124, 129, 130, 143]);
/** The command that only a signal ends. */
const SERVER = 'serve';

/** Prompts must never leave by somebody's tracing, whatever the environment asks for. */
function clearTracing(env) {
  for (const name of Object.keys(env)) {
    if (/^(LANGSMITH_|LANGCHAIN_)/.test(name)) delete env[name];
  }
}

/** Capstan's cache folder, by the same words as the settings find it. */
function cacheFolder(env) {
  const home = (env.HOME || '').trim() || os.homedir();
  const own = (env.CAPSTAN_HOME || '').trim();
  if (own) return path.resolve(/^~(\/|$)/.test(own) ? path.join(home, own.slice(1)) : own, 'cache');
  const base = (env.XDG_CACHE_HOME || '').trim();
  return path.join(base && path.isAbsolute(base) ? base : path.join(home, '.cache'), 'capstan');
}

/**
 * Each command keeps compiled code of its own: only what it used is loaded the next time.
 * The bundle's hash stands in the name because V8 itself compares no more than the source's length.
 */
function cacheFile(bundle, word = '') {
  const command = /^[^-].*\s/s.test(word) ? 'run' : word;
  const name = /^[a-z_][a-z_-]{0,19}$/.test(command) ? command : 'other';
  const file = `${name}-${process.version}-${process.arch}-${bundle}.v8`;
  return path.join(cacheFolder(process.env), 'code', file);
}

/** A program as Node wraps it, read into one buffer. The build writes ASCII only. */
function readWrapped(filename) {
  const [before, after] = Module.wrap('\0').split('\0');
  const file = fs.openSync(filename, 'r');
  try {
    const { size } = fs.fstatSync(file);
    const program = Buffer.allocUnsafe(before.length + size + after.length);
    program.latin1Write(before, 0);
    const read = fs.readSync(file, program, before.length, size, 0);
    program.latin1Write(after, before.length + read);
    return program.latin1Slice(0, before.length + read + after.length);
  } finally {
    fs.closeSync(file);
  }
}

/** Compiles the bundle, or takes the compiled code of an earlier run, which is in memory no longer than that. */
function compile(filename, cache) {
  const cachedData = codeCache.read(cache);
  const script = new vm.Script(readWrapped(filename), { filename, cachedData });
  return { script, isWarm: cachedData !== undefined && !script.cachedDataRejected };
}

/** Types are collected and functions optimized late. Later versions than Node 20 have no such flags. */
const isNode20 = process.versions.v8.startsWith('11.3.');
const OPTIMIZE_LATE = isNode20
  ? '--interrupt-budget=500000 --interrupt-budget-for-feedback-allocation=5000 --interrupt-budget-factor-for-feedback-allocation=40'
  : '';
const OPTIMIZE_AS_USUAL = isNode20
  ? '--interrupt-budget=67584 --interrupt-budget-for-feedback-allocation=940 --interrupt-budget-factor-for-feedback-allocation=8'
  : '';
/**
 * Most objects of a short command live until its end: the space for new ones grows at once, without a collection at each
 * doubling. Its regular expressions match short texts a few times: they are interpreted longer before they are compiled.
 */
const SHORT = `--semi-space-growth-factor=16 --regexp-tier-up-ticks=100 ${OPTIMIZE_LATE}`;
const LONG = `--semi-space-growth-factor=2 --regexp-tier-up-ticks=1 ${OPTIMIZE_AS_USUAL}`;
/**
 * Memory is returned early: what capsules read passes through here, and most of it is soon of no use. Marking and
 * optimization begin late: a short command would pay for them and end before it has gained anything. The server runs long.
 */
const ownFlags = (command) =>
  `--optimize-for-size --incremental-marking-soft-trigger=90 --incremental-marking-hard-trigger=95 --no-regexp-peephole-optimization ${command === SERVER ? LONG : SHORT}`;
/** V8's own values, also of what the first flag implies. */
const DEFAULT_FLAGS = `--no-optimize-for-size --max-semi-space-size=0 --incremental-marking-soft-trigger=0 --incremental-marking-hard-trigger=0 --regexp-peephole-optimization ${LONG}`;

/** The bundle's `require`. Node's compiled code of its own modules is valid only with V8's default flags: they are set while one is loaded. */
function requireFrom(filename, flags) {
  const load = Module.createRequire(filename);
  const loaded = new Map();
  const requireOnce = (id) => {
    if (loaded.has(id)) return loaded.get(id);
    v8.setFlagsFromString(DEFAULT_FLAGS);
    try {
      const module = load(id);
      loaded.set(id, module);
      return module;
    } finally {
      v8.setFlagsFromString(flags);
    }
  };
  return Object.assign(requireOnce, load);
}

/** Loads the bundle and runs it to its exit code. */
async function start(dist, bundle, argv) {
  clearTracing(process.env);
  // Until the program says otherwise: an event loop that runs dry must never look like success.
  process.exitCode = 1;

  const filename = path.join(dist, 'main.cjs');
  const cache = cacheFile(bundle, argv[0]);
  const { script, isWarm } = compile(filename, cache);
  const module = { exports: {} };
  const requireIt = requireFrom(filename, ownFlags(argv[0]));
  // Node itself loads it for the standard streams, without this `require`.
  requireIt('node:tty');
  script.runInThisContext()(module.exports, requireIt, module, filename, dist);

  const exitCode = await module.exports.main(argv);
  const isWhole = !EARLY_ENDS.has(exitCode) || (argv[0] === SERVER && exitCode !== 2);
  if (!isWarm && isWhole) {
    // Only now: what was compiled on the way is in it. Its flags must be those at the next start.
    v8.setFlagsFromString(DEFAULT_FLAGS);
    codeCache.write(cache, script.createCachedData());
  }
  process.exit(exitCode);
}

exports.start = start;
