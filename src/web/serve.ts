import { join } from 'node:path';
import type { Capstan } from '../app/open-capstan.ts';
import { installFolder } from '../app/own-process.ts';
import { usage } from '../contract/usage.ts';
import { codeOf } from '../platform/try-or.ts';
import { createServer } from './server/create-server.ts';
import { readPageFiles } from './server/page-files.ts';

export interface ServeOptions {
  /** 0: any free one. */
  readonly port: number;
  /** A failure that no client is told about. */
  readonly onProblem: (error: unknown) => void;
}

const LOOPBACK = '127.0.0.1';

/**
 * Serves the dashboard and its API on the loopback address, and hosts runs.
 *
 * @throws AppError `USAGE` if another program holds the port, or another server of this user is running.
 */
export async function serve(capstan: Capstan, { port, onProblem }: ServeOptions) {
  const [secrets, row] = [await capstan.serving.secrets(), await capstan.serving.row()];
  const hosting = await capstan.serving.host((_id, error) => onProblem(error));
  let host = '';
  const server = await createServer({
    ...{ capstan, hosting, onProblem, host: () => host },
    files: readPageFiles(join(installFolder(), 'dist/web')),
    isToken: secrets.isToken,
    exchange: secrets.exchange,
  });
  const url = await server.listen({ host: LOOPBACK, port }).catch((error: unknown) => {
    throw portError(error, port);
  });
  host = new URL(url).host;
  if (!row.claim(url)) {
    await server.close();
    throw usage('Another server of yours is running.');
  }
  secrets.removeLinks('all');
  const sweep = setInterval(() => secrets.removeLinks('old'), 60_000).unref();
  const continued = hosting.begin();
  return {
    /** How many parked runs it continues. */
    continued,
    /** `http://127.0.0.1:7717`. */
    url,
    /** Ends the connections. Closing Capstan then parks the runs. */
    async close() {
      hosting.end();
      clearInterval(sweep);
      secrets.removeLinks('all');
      row.release();
      await server.close();
    },
  };
}

function portError(error: unknown, port: number): unknown {
  if (codeOf(error) !== 'EADDRINUSE') return error;
  const problem = `Port ${port} is held by another program. Stop it, or choose another port (0: any free one).`;
  return usage(problem, 'port');
}
