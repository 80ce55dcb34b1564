import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type Books, live, openBooks } from './books.ts';
import { buildPrograms, type Programs } from './build-programs.ts';
import { type Doom, endAtCommandLine } from './cli-life.ts';
import { copyEach } from './copy-each.ts';
import type { Fault } from './fault-at.ts';
import { type Outside, openOutside } from './outside.ts';
import { createResumer, type Resumer } from './resumer.ts';
import { endOf } from './survive.ts';

/**
 * `npm run test:kill`: one run, interrupted at every fail point, and with the database failing at every commit in
 * turn; then resumed to its end. What must hold then is in `problems-of.ts`.
 *
 * `--pairs N`: N pairs of kills, drawn with `--seed`. `--random N`: N runs of the real command line, killed at random
 * times. `--faults`: every failure at every commit, not one of them in turn.
 */
const { values } = parseArgs({
  options: {
    pairs: { type: 'string' },
    random: { type: 'string' },
    faults: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    parallel: { type: 'string', default: String(2 * availableParallelism()) },
    keep: { type: 'boolean', default: false },
  },
});

/** One interruption, and the guarantees that it violated. */
interface Case {
  readonly name: string;
  /** If it has begun already. */
  readonly books?: Books;
  run(books: Books, resumer: Resumer): Promise<Outcome>;
}

interface Outcome {
  readonly problems: readonly string[];
  readonly wasStruck: boolean;
  /** How many interruptions it was; default: one. */
  readonly times?: number;
}

interface Tally {
  cases: number;
  struck: number;
  failed: number;
}

/** More than there are fail points or commits: a sweep ends with the first process that was not interrupted. */
const MAX_POINTS = 1_000;

/**
 * Every n-th kill is one of a process, which uses real processes for the capsules. The other points share processes that
 * run capsules inside themselves, and are stopped and copied instead.
 */
const REAL_EVERY = 8;

/** A small generator of numbers from 0 to 1 (mulberry32): the same seed draws the same cases. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const killOnce = (programs: Programs, killAt: number): Case => ({
  name: `killed at point ${killAt}`,
  async run(books, resumer) {
    const isReal = killAt % REAL_EVERY === 0;
    const { wasKilled } = await live(books, { programs, killAt, isReal });
    return { problems: await endOf(books, resumer, { isReal }), wasStruck: wasKilled };
  },
});

/** At this point, and at every `REAL_EVERY`-th after it. */
const stopEach = (programs: Programs, from: number): Case => ({
  name: `stopped at points ${from}, ${from + REAL_EVERY} and so on`,
  async run(books, resumer) {
    const { copies, killedAt } = await copyEach(books, { programs, from, every: REAL_EVERY });
    const problems = [...(await endOf(books, resumer))];
    for (const { point, restore } of copies) {
      restore();
      problems.push(...(await endOf(books, resumer)).map((problem) => `at ${point}: ${problem}`));
    }
    const times = copies.length;
    if (killedAt === undefined) return { problems, wasStruck: true, times };
    const rest = await runCase(stopEach(programs, killedAt + REAL_EVERY), books.outside, resumer);
    return {
      // It has printed its own.
      problems: rest.problems.length > 0 ? [...problems, 'the points after it failed'] : problems,
      wasStruck: true,
      times: times + 1 + rest.times,
    };
  },
});

const killTwice = (programs: Programs, first: number, second: number): Case => ({
  name: `killed at point ${first}, and at point ${second} of its next life`,
  async run(books, resumer) {
    const one = await live(books, { programs, killAt: first });
    await books.answerAll();
    const two = await live(books, { programs, killAt: second });
    return {
      problems: await endOf(books, resumer),
      wasStruck: one.wasKilled && two.wasKilled,
    };
  },
});

/**
 * One process starts these runs, and one commit of each fails. That must not kill it: it reports the error, and the run ends
 * or continues. The cases are for the time after its end.
 */
async function failEach(faults: readonly Fault[], outside: Outside): Promise<readonly Case[]> {
  const failing = createResumer(programs);
  const cases: Case[] = [];
  for (const fault of faults) {
    const books = nextBooks(outside);
    const { ended, problem } = await failing.resume(books, { fault });
    const isSaid = ended !== undefined || /database|disk/.test(problem);
    const silent = isSaid ? [] : [`it ended without a word: ${problem}`];
    cases.push({
      name: `${fault.code} at commit ${fault.at}`,
      books,
      async run(_books, resumer) {
        const problems = await endOf(books, resumer, { mayWait: true });
        return { problems: [...silent, ...problems], wasStruck: ended?.status !== 'completed' };
      },
    });
  }
  await failing.end();
  return cases;
}

/** In as many processes as run at the same time. */
async function runFaults(faults: readonly Fault[], outside: Outside): Promise<Tally> {
  const count = Number(values.parallel);
  const parts = Array.from({ length: count }, (_, nth) =>
    faults.filter((_, at) => at % count === nth),
  );
  const cases = await Promise.all(parts.map((part) => failEach(part, outside)));
  return runCases(cases.flat().values(), outside);
}

const atCommandLine = (programs: Programs, name: string, dooms: readonly Doom[]): Case => ({
  name: `at the command line, ${name}`,
  async run(books) {
    const { problems, kills } = await endAtCommandLine(books, programs, dooms);
    return { problems, wasStruck: kills > 0 };
  },
});

async function runCase(one: Case, outside: Outside, resumer: Resumer): Promise<Required<Outcome>> {
  const books = one.books ?? nextBooks(outside);
  const broken = (error: unknown) => ({ problems: [String(error)], wasStruck: true });
  const outcome: Outcome = await one.run(books, resumer).catch(broken);
  for (const problem of outcome.problems) console.log(`  FAILED ${one.name}: ${problem}`);
  if (values.keep && outcome.problems.length > 0) console.log(`  kept: ${books.home}`);
  else books.remove();
  return { times: 1, ...outcome };
}

/** Runs cases concurrently, until none is left or `isEnough` returns true. */
async function runCases(
  cases: Iterator<Case>,
  outside: Outside,
  isEnough: (one: Outcome) => boolean = () => false,
): Promise<Tally> {
  const tally: Tally = { cases: 0, struck: 0, failed: 0 };
  let isOver = false;
  const work = async () => {
    const resumer = createResumer(programs);
    try {
      await workWith(resumer);
    } finally {
      await resumer.end();
    }
  };
  const workWith = async (resumer: Resumer) => {
    while (!isOver) {
      const next = cases.next();
      if (next.done) return;
      const result = await runCase(next.value, outside, resumer);
      isOver ||= isEnough(result);
      const { times, wasStruck, problems } = result;
      tally.cases += times;
      tally.struck += wasStruck ? times : 0;
      tally.failed += Number(problems.length > 0);
    }
  };
  await Promise.all(Array.from({ length: Number(values.parallel) }, work));
  return tally;
}

let serial = 0;

function nextBooks(outside: Outside): Books {
  serial += 1;
  return openBooks(`b${serial}`, outside, programs.cacheDir);
}

function* numbered<T>(most: number, make: (n: number) => T): Generator<T> {
  for (let n = 0; n < most; n++) yield make(n);
}

const codes: readonly Fault['code'][] = ['SQLITE_FULL', 'SQLITE_BUSY', 'SQLITE_IOERR'];

async function measured(name: string, sweep: () => Promise<Tally>): Promise<boolean> {
  const startedMs = performance.now();
  const { cases, struck, failed } = await sweep();
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  console.log(`${name}: ${cases} runs, ${struck} struck, ${failed} not as promised, ${seconds} s`);
  return failed === 0 && cases > 0;
}

const programs = await buildPrograms();
const outside = await openOutside();
const draw = numbersFrom(Number(values.seed));
const upTo = (most: number) => Math.floor(draw() * most);
const isWhole = ({ wasStruck }: Outcome) => !wasStruck;
/** No run has so many points. A killed process leaves no compiled code: this one does, for all others. */
const undisturbed = [killOnce(programs, MAX_POINTS - 1)];
/** After the last commit that can fail, some come too late to be noticed. */
const COMMITS = 90;
let isGood = true;
try {
  isGood = await measured('undisturbed', () => runCases(undisturbed.values(), outside));
  if (values.pairs !== undefined) {
    const pairs = numbered(Number(values.pairs), () => killTwice(programs, upTo(220), upTo(190)));
    isGood &&= await measured('pairs of kills', () => runCases(pairs, outside));
  } else if (values.random !== undefined) {
    const late = () => ({ killAfterMs: 100 + upTo(600) });
    const random = numbered(Number(values.random), (n) =>
      atCommandLine(programs, `killed at random times (${n})`, [late(), late(), late(), late()]),
    );
    isGood &&= await measured('random kills', () => runCases(random, outside));
  } else if (values.faults) {
    for (const code of codes) {
      const faults = [...numbered(COMMITS, (at) => ({ code, at }))];
      isGood = (await measured(code, () => runFaults(faults, outside))) && isGood;
    }
  } else {
    const shared = numbered(REAL_EVERY - 1, (n) => stopEach(programs, n + 1));
    isGood = (await measured('stops', () => runCases(shared, outside))) && isGood;
    const kills = numbered(MAX_POINTS, (n) => killOnce(programs, n * REAL_EVERY));
    isGood = (await measured('kills', () => runCases(kills, outside, isWhole))) && isGood;
    const faults = [
      ...numbered(COMMITS, (at) => ({ code: codes[at % codes.length] ?? 'SQLITE_FULL', at })),
    ];
    isGood =
      (await measured('failures of the database', () => runFaults(faults, outside))) && isGood;
    const commands = numbered(8, (n) =>
      atCommandLine(programs, `killed at points (${n})`, [
        { killAt: 4 + upTo(25) },
        { killAt: 4 + upTo(40) },
        {},
        { killAt: 4 + upTo(60) },
      ]),
    );
    isGood = (await measured('the command line', () => runCases(commands, outside))) && isGood;
  }
} finally {
  await outside.close();
  programs.remove();
}
process.exitCode = isGood ? 0 : 1;
