import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { command } from '../../src/cli/commands/capsules/capsules.ts';
import { startModelServer } from '../model-server/model-server.ts';
import type { ScriptedRequest } from '../model-server/script.ts';
import { ioOf } from '../programs/recorded-io.ts';
import { temporaryPerson } from '../setup/temporary-person.ts';

/** A user with an own capsule, `mine`, and a model server on loopback that follows its prompt. */
export async function authorSetup() {
  const person = temporaryPerson();
  let isBroken = false;
  let isHeld = false;
  const script = (request: ScriptedRequest) => {
    if (isHeld && request.messages.at(-1)?.role === 'tool') return { broken: 'silent' } as const;
    return isBroken ? noAnswer : answerOf(request);
  };
  const model = await startModelServer({ vendor: 'ollama', script });
  const own = (path = '') => join(person.home, 'data/agents/mine', path);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(own(path)), { recursive: true });
    writeFileSync(own(path), text);
  };
  write('manifest.json', JSON.stringify(manifest));
  write('entrypoint.cjs', "'use strict';\nrequire(process.env.CAPSTAN_SDK).start({});\n");
  write('skill.md', 'Be quiet.\n');
  write('cases/harbour.yaml', harbour);
  const environment = {
    ...person.environment,
    CAPSTAN_PROVIDER: 'ollama',
    CAPSTAN_BASE_URL: model.baseUrl,
    CAPSTAN_MODEL_FAST: model.model,
    CAPSTAN_MODEL_BALANCED: model.model,
    CAPSTAN_MODEL_BEST: model.model,
  };
  const begin = (name: string, positionals: string[], options: Record<string, unknown> = {}) => {
    const io = ioOf({ environment, cwd: person.project });
    const found = command.subcommands?.find((one) => one.name === name);
    return { io, code: found?.run({ positionals, options }, io) };
  };
  return {
    person,
    model,
    own,
    write,
    environment,
    begin,
    /** Makes the model refuse every request, or stops that. */
    breakModel(isWanted: boolean) {
      isBroken = isWanted;
    },
    /** Makes the model give its first answer of a task only, or stops that. */
    holdModel(isWanted: boolean) {
      isHeld = isWanted;
    },
    async run(name: string, positionals: string[], options: Record<string, unknown> = {}) {
      const { io, code } = begin(name, positionals, options);
      const ended = await code?.catch((error: unknown) => error);
      return { code: ended, out: io.out(), errors: io.errors() };
    },
    async close() {
      await model.close();
      person.remove();
    },
  };
}

export type AuthorSetup = Awaited<ReturnType<typeof authorSetup>>;

const noAnswer = { status: 400, body: { error: 'no such model' } };

/** Reads the notes, then repeats them, in capitals if the prompt says so. */
function answerOf({ system, messages }: ScriptedRequest) {
  const args = { operation: 'read', path: 'notes.txt' };
  if (messages.at(-1)?.role !== 'tool') return { tool_calls: [{ name: 'file_io', args }] };
  const result = /LOUD/.test(system) ? 'THE HARBOUR WAS CLOSED.' : 'The harbour was closed.';
  return { tool_calls: [{ name: 'final', args: { status: 'ok', result } }] };
}

const manifest = {
  id: 'mine',
  name: 'Mine',
  version: '1.0.0',
  description: 'Says what the notes say.',
  entrypoint: ['node', 'entrypoint.cjs'],
  grants: { tools: { file_io: { operations: ['read'], paths: ['**'] } } },
  skills: [],
  task_kinds: [
    { name: 'work', mode: 'agentic', description: 'Works.', examples: ['Say what notes.txt says'] },
  ],
};

const harbour = `task: Say what notes.txt says
inputs:
  notes.txt: The harbour was closed.
expect:
  text: harbour
  tool_calls: [{ tool: file_io, operation: read }]
  max_steps: 2
`;

/** Resolves once the text is there. */
export async function until(read: () => string, wanted: RegExp | string): Promise<void> {
  for (let waitedMs = 0; waitedMs < 60_000; waitedMs += 20) {
    if (typeof wanted === 'string' ? read().includes(wanted) : wanted.test(read())) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${wanted} never came:\n${read()}`);
}
