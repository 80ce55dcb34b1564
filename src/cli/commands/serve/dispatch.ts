import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { printable } from '../../../contract/text/printable.ts';
import { usage } from '../../../contract/usage.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodeOf, exitCodes } from '../../errors/exit-codes.ts';
import { printJsonLine } from '../../io/print-json.ts';
import { standard } from '../../options/standard-options.ts';
import { printedRun } from '../../run/surfaces/print-run.ts';
import { withCapstan } from '../../with-capstan.ts';

export const command: CommandDefinition = {
  name: 'dispatch',
  summary: 'Send a task to the running server',
  arguments: '<task...>',
  options: {
    ...standard.workspace,
    '--capsule <capsule>': 'give the whole task to this capsule',
    '--session <session>': 'continue this session',
    ...standard.budget,
    '--key <text>':
      'idempotency key of 8 to 200 visible characters: the same key starts only one run',
    '--wait': 'wait until the run has ended or parked, and print it',
    ...standard.json,
  },
  examples: [
    'capstan dispatch "Summarize README.md in five sentences"',
    'capstan dispatch --wait --key nightly-2027-01-31 "Check every link in docs"',
  ],
  run: withCapstan(async ({ capstan, args: { positionals, options }, io, isJson, has, text }) => {
    const url = (await capstan.serving.row()).url();
    if (url === undefined) throw usage('No server is running. Start one: capstan serve');
    const { workspace } = await capstan.settings.get({ workspace: options['workspace'] });
    const budget = text('budgetUsd');
    const secrets = await capstan.serving.secrets();
    const token = secrets.addToken();
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'idempotency-key': text('key') ?? randomUUID(),
    };
    const accepted = await postJson(`${url}/api/v1/runs`, headers, {
      task: positionals.join(' '),
      workspace,
      capsule: text('capsule'),
      session: text('session'),
      budget_usd: budget === undefined ? undefined : Number(budget),
    }).finally(() => secrets.endToken(token));
    const runId = String(accepted['run_id']);
    if (!has('wait')) {
      if (isJson) printJsonLine(io, accepted);
      else io.stdout(`${runId}\n`);
      return exitCodes.completed;
    }
    for await (const _ of capstan.runs.follow(runId));
    const { document } = await capstan.runs.get(runId);
    return {
      json: printedRun(document),
      text: `${document.answer ?? `The run is ${document.status}.`}\n`,
      exitCode: exitCodeOf(document),
    };
  }),
};

const DEADLINE_MS = 30_000;
const MAX_CHARS = 1024 * 1024;

/** Sends a document to the server. @throws AppError `USAGE` with what the server answers, or if it does not answer. */
function postJson(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  return new Promise((resolve, reject) => {
    const fail = (problem: string) => reject(usage(problem));
    const options = { method: 'POST', timeout: DEADLINE_MS, headers };
    const sent = request(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
        if (text.length > MAX_CHARS) sent.destroy(new Error('its answer is too long'));
      });
      response.on('end', () => {
        const document = parse(text);
        if (response.statusCode === 202) return resolve(document);
        fail(printable(String(document['detail'] ?? `status ${response.statusCode}`), 2_000));
      });
    });
    sent.on('timeout', () => sent.destroy(new Error('it did not answer in time')));
    sent.on('error', ({ message }) => fail(`The server at ${url} failed: ${message}.`));
    sent.end(JSON.stringify(body));
  });
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
