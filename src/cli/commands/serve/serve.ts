import { spawn } from 'node:child_process';
import type { Capstan } from '../../../app/open-capstan.ts';
import { AppError, messageOf } from '../../../contract/errors.ts';
import { printable } from '../../../contract/text/printable.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { printJsonLine } from '../../io/print-json.ts';
import { exitCodeOfSignal, watchSignals } from '../../io/watch-signals.ts';
import { standard } from '../../options/standard-options.ts';
import { textOption } from '../../options/text-option.ts';

export const command: CommandDefinition = {
  name: 'serve',
  topic: 'Work',
  summary: 'Show runs in your browser, and host those that wait',
  options: [
    { flags: '--port <port>', description: 'default: CAPSTAN_SERVE_PORT, 7717; 0: any free one' },
    { flags: '--no-open', description: 'print the link, and open no browser' },
    standard.json,
    { flags: '--revoke', description: 'end every token and every link, and serve nothing' },
  ],
  examples: ['capstan serve', 'capstan serve --json --no-open --port 0', 'capstan serve --revoke'],
  async run({ options }, io) {
    const { openCapstan } = await import('../../../app/open-capstan.ts');
    // Questions are answered at the dashboard.
    const capstan = await openCapstan({ env: io.environment, cwd: io.cwd, presence: () => true });
    const isJson = options['json'] === true;
    const mayOpen = options['open'] !== false && !isJson && io.isTerminal;
    try {
      const secrets = await capstan.serving.secrets();
      if (options['revoke'] === true) {
        const count = secrets.revokeAll();
        if (isJson) printJsonLine(io, { revoked: count });
        else io.stdout(`Ended: ${count} tokens and links. \`capstan serve\` makes a new link.\n`);
        return exitCodes.completed;
      }
      const announce = (url: string) => {
        if (isJson) return printJsonLine(io, { url, token: secrets.addToken() });
        const link = `${url}/#code=${secrets.addCode()}`;
        io.stdout(`${link}\n`);
        io.stderr('The link works once, within ten minutes.\n');
        if (mayOpen) openInBrowser(link);
      };
      const running = (await capstan.serving.row()).url();
      const wanted = portOf(textOption(options['port']));
      if (running !== undefined) {
        if (wanted !== undefined && wanted !== Number(new URL(running).port))
          io.stderr(`A server runs already, at ${running}: --port is not used.\n`);
        announce(running);
        return exitCodes.completed;
      }
      const { serve } = await import('../../../web/serve.ts');
      const port = wanted ?? (await portSetting(capstan));
      const server = await serve(capstan, {
        port,
        onProblem: (error) => io.stderr(`${printable(messageOf(error), 2_000)}\n`),
      });
      announce(server.url);
      if (!isJson) io.stderr('Ctrl-C ends the server; its runs park, and the next one goes on.\n');
      const signal = await untilSignal();
      await server.close();
      return exitCodeOfSignal[signal];
    } finally {
      await capstan.close();
    }
  },
};

async function portSetting({ settings }: Pick<Capstan, 'settings'>): Promise<number> {
  const { values } = await settings.get();
  return Number(values.find(({ name }) => name === 'CAPSTAN_SERVE_PORT')?.value);
}

function untilSignal() {
  return new Promise<keyof typeof exitCodeOfSignal>((resolve) => {
    const watch = watchSignals(() => resolve(watch.received() ?? 'SIGTERM'));
  });
}

const MAX_PORT = 65_535;

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= MAX_PORT) return Number(text);
  const problem = `--port is "${printable(text, 40)}"; it must be a whole number from 0 to ${MAX_PORT}.`;
  throw new AppError('USAGE', { problem });
}

/** Opens an address in the user's browser, if there is one. Nothing waits for it. */
function openInBrowser(address: string): void {
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const child = spawn(program, [address], { stdio: 'ignore', detached: true });
  // Without such a program the printed link remains.
  child.on('error', () => {});
  child.unref();
}
