import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type Capstan, openCapstan } from '../../src/app/open-capstan.ts';
import { createServer } from '../../src/web/server/create-server.ts';
import type { ModelServer } from '../model-server/model-server.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';

/** The API of a person's Capstan over HTTP. */
export interface ApiServer {
  readonly person: Person;
  readonly capstan: Capstan;
  request(method: string, path: string, body?: unknown): Promise<ApiAnswer>;
  close(): Promise<void>;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a document of the API
  readonly body: any;
}

/** The environment in which a scripted server of models answers. */
export const modelEnvironment = ({ baseUrl, model }: ModelServer): NodeJS.ProcessEnv => ({
  CAPSTAN_PROVIDER: 'ollama',
  CAPSTAN_BASE_URL: baseUrl,
  CAPSTAN_MODEL_BEST: model,
  CAPSTAN_MODEL_BALANCED: model,
  CAPSTAN_MODEL_FAST: model,
});

/** @param changes Of the environment. */
export async function startApiServer(changes: NodeJS.ProcessEnv = {}): Promise<ApiServer> {
  const person = temporaryPerson();
  const env = { ...person.environment, ...changes };
  const capstan = await openCapstan({ env, cwd: person.project, presence: () => true });
  const secrets = await capstan.serving.secrets();
  const token = secrets.addToken();
  const hosting = await capstan.serving.host(() => {});
  hosting.begin();
  let host = '';
  const server: FastifyInstance = await createServer({
    ...{ capstan, hosting, host: () => host, files: new Map() },
    ...{ isToken: secrets.isToken, exchange: secrets.exchange, onProblem: console.error },
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  host = `127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  return {
    person,
    capstan,
    async request(method, path, body) {
      const answer = await fetch(`http://${host}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, headers: answer.headers, body: await answer.json() };
    },
    async close() {
      await server.close();
      await capstan.close();
      person.remove();
    },
  };
}
