import { spawn } from 'node:child_process';
import { messageOf } from '../../../contract/errors.ts';
import { printable } from '../../../contract/text/printable.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { printJsonLine } from '../../io/print-json.ts';
import { exitCodeOfSignal, type StopSignal, watchSignals } from '../../io/watch-signals.ts';
import { numberOption, standard } from '../../options/standard-options.ts';
import { counted } from '../../text/format.ts';
import { type CommandContext, inCapstan } from '../../with-capstan.ts';

export const command: CommandDefinition = {
  name: 'serve',
  summary: 'Serve the dashboard on this machine, and execute its runs',
  options: {
    '--port <port>': 'port to listen on; 0: any free one (default: CAPSTAN_SERVE_PORT or 7717)',
    '--no-open': 'print the link without opening a browser',
    ...standard.json,
    '--revoke': 'revoke all tokens and links, and exit',
  },
  examples: ['capstan serve', 'capstan serve --json --no-open --port 0', 'capstan serve --revoke'],
  // Questions are answered at the dashboard.
  run: (args, io) => inCapstan(args, io, serveOrRevoke, () => true),
};

async function serveOrRevoke(context: CommandContext): Promise<number> {
  const { capstan, args, io, isJson, has } = context;
  const secrets = await capstan.serving.secrets();
  if (has('revoke')) {
    const revoked = secrets.revokeAll();
    if (isJson) printJsonLine(io, { revoked });
    else io.stdout(`Ended: ${revoked} tokens and links. \`capstan serve\` makes a new link.\n`);
    return exitCodes.completed;
  }
  const announce = (url: string) => {
    if (isJson) return printJsonLine(io, { url, token: secrets.addToken() });
    const code = secrets.addCode();
    const link = `${url}/#code=${code}`;
    io.stdout(`${link}\n`);
    const opens = args.options['open'] !== false && io.isTerminal;
    const file = opens ? secrets.writeLink(link, code) : undefined;
    if (file !== undefined) openInBrowser(file);
    const hint = file === undefined ? '' : ' Open it yourself if the browser shows no page.';
    io.stderr(`The link works once, within ten minutes.${hint}\n`);
  };
  const running = (await capstan.serving.row()).url();
  const wanted = numberOption('--port', args.options['port'], { min: 0, max: 65_535 });
  if (running !== undefined) {
    if (wanted !== undefined && wanted !== Number(new URL(running).port))
      io.stderr(`A server runs already, at ${running}: --port is not used.\n`);
    announce(running);
    return exitCodes.completed;
  }
  return serveUntilSignal(context, wanted, announce);
}

async function serveUntilSignal(
  { capstan, io, isJson }: CommandContext,
  wanted: number | undefined,
  announce: (url: string) => void,
): Promise<number> {
  const { values } = await capstan.settings.get();
  const set = values.find(({ name }) => name === 'CAPSTAN_SERVE_PORT')?.value;
  const { serve } = await import('../../../web/serve.ts');
  const server = await serve(capstan, {
    port: wanted ?? Number(set),
    onProblem: (error) => io.stderr(`${printable(messageOf(error), 2_000)}\n`),
  });
  announce(server.url);
  const { continued } = server;
  if (continued > 0) io.stderr(`Continuing ${counted(continued, 'run')} that waited.\n`);
  if (!isJson)
    io.stderr('Ctrl-C stops the server. Its runs park, and the next server continues them.\n');
  const signal = await new Promise<StopSignal>((resolve) => {
    const watch = watchSignals(() => resolve(watch.received() ?? 'SIGTERM'));
  });
  await server.close();
  return exitCodeOfSignal[signal];
}

/** Opens a file in the user's browser, if there is one. Nothing waits for it. */
function openInBrowser(path: string): void {
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const child = spawn(program, [path], { stdio: 'ignore', detached: true });
  // Without such a program the printed link remains.
  child.on('error', () => {});
  child.unref();
}
