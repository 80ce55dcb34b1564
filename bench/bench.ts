import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../scripts/replace-file.ts';
import { measureFollow } from './follow/follow.ts';
import { type BenchOptions, isPastGate, type Row, toTable } from './measure/row.ts';
import { measureAnswerLatency } from './pipe/answer-latency.ts';
import { measureBrokered } from './pipe/brokered.ts';
import { measureRoundTrips } from './pipe/round-trips.ts';
import { measureEmbedding } from './routing/embedding.ts';
import { measureRoutingSpeed } from './routing/routing-speed.ts';
import { measureAuthorLoop } from './run/author-loop.ts';
import { measureGraph } from './run/graph.ts';
import { measureModelCall } from './run/model-call.ts';
import { measureWarmRun } from './run/warm-run.ts';
import { measureWholeRun } from './run/whole-run.ts';
import { measureCapsules } from './start/capsules.ts';
import { measureIsolation } from './start/isolation.ts';
import { measureMenu } from './start/menu.ts';
import { measureServe } from './start/serve.ts';
import { measureStarts } from './start/starts.ts';

const root = join(import.meta.dirname, '..');

const parts: readonly ((options: BenchOptions) => Row[] | Promise<Row[]>)[] = [
  measureStarts,
  measureMenu,
  measureServe,
  measureCapsules,
  measureIsolation,
  measureRoundTrips,
  measureBrokered,
  measureAnswerLatency,
  measureFollow,
  measureModelCall,
  measureGraph,
  measureWholeRun,
  measureWarmRun,
  measureEmbedding,
  measureAuthorLoop,
  measureRoutingSpeed,
];

function writePage(table: string) {
  const path = join(root, 'docs/performance.md');
  const { platform, arch, version } = process;
  const text = `<!-- bench -->\nOn ${platform} ${arch}, Node ${version}:\n\n${table}\n<!-- /bench -->`;
  const page = readFileSync(path, 'utf8').replace(/<!-- bench -->.*<!-- \/bench -->/s, () => text);
  replaceFile(path, Buffer.from(page));
}

/** `npm run bench`: all rows, one after the other. */
async function bench(argv: readonly string[]): Promise<number> {
  if (!existsSync(join(root, 'dist/launcher.json'))) {
    console.error('Nothing to measure yet: run `npm run build` first.');
    return 2;
  }
  delete process.env['NODE_EXTRA_CA_CERTS'];
  const options = { smoke: argv.includes('--smoke') };
  const rows: Row[] = [];
  let unmeasured = 0;
  for (const measure of parts) {
    try {
      rows.push(...(await measure(options)));
    } catch (error) {
      unmeasured += 1;
      console.error(`${measure.name} could not measure: ${error}`);
    }
  }

  const table = toTable(rows);
  console.log(table);
  if (argv.includes('--write') && unmeasured === 0) writePage(table);
  const past = rows.filter((row) => isPastGate(row, options));
  for (const { what } of past) console.error(`Past its gate: ${what}`);
  return past.length + unmeasured > 0 ? 1 : 0;
}

process.exitCode = await bench(process.argv.slice(2));
