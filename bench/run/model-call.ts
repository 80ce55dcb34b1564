import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { BuildOptions } from 'esbuild';
import { runPinned } from '../measure/pinned-program.ts';
import type { BenchOptions, Row } from '../measure/row.ts';

/** Answers every request with the same short stream. */
const SERVER = `
const chunk = (delta, finish_reason = null) => 'data: ' + JSON.stringify({ model: 'm', choices: [{ index: 0, delta, finish_reason }] }) + '\\n\\n';
const usage = 'data: ' + JSON.stringify({ choices: [], usage: { prompt_tokens: 900, completion_tokens: 9 } }) + '\\n\\n';
const answer = chunk({ content: 'It is ' }) + chunk({ content: 'four.' }) + chunk({}, 'stop') + usage + 'data: [DONE]\\n\\n';
require('node:http').createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(answer);
  });
}).listen(0, '127.0.0.1', function () { console.log('http://127.0.0.1:' + this.address().port); });`;

const OPTIONS: BuildOptions = {
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
};

type Times = Record<'bare' | 'rows' | 'provider' | 'brokered', number>;

/** One brokered call of a model with a history of 20 messages, and what it needs: the exchange, and the commits if it is paid. */
export async function measureModelCall({ smoke }: BenchOptions): Promise<Row[]> {
  const server = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(server.stdout, 'data');
    const argv = [String(line).trim(), smoke ? '50' : '400'];
    const printed = await runPinned('run/model-call-program.ts', OPTIONS, argv);
    const { free, paid } = JSON.parse(printed) as Record<'free' | 'paid', Times>;
    const row = (what: string, times: Times): Row => ({
      what: `brokered model call, 20 messages (× ${what}, p50)`,
      goal: 2,
      gate: 2.8,
      value: times.brokered / (times.bare + times.rows),
      unit: '×',
      detail: `${times.brokered.toFixed(2)} ms; exchange: ${times.bare.toFixed(2)} ms, commits: ${times.rows.toFixed(2)} ms; provider alone: ${times.provider.toFixed(2)} ms`,
    });
    return [
      row('the same exchange by `node:http`', free),
      row('the same exchange and two bare synced commits of its rows', paid),
    ];
  } finally {
    server.kill();
  }
}
