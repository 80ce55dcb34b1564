import { describe, expect, it } from 'vitest';
import type { CheckCost, SetupCheck } from '../../app/settings/setup/check-model.ts';
import type { SetupProvider } from '../../app/settings/setup/list-providers.ts';
import type { ServedModels } from '../../app/settings/setup/list-served.ts';
import type { SetupProposal } from '../../app/settings/setup/propose-changes.ts';
import { AppError } from '../../contract/errors.ts';
import { runSetup } from './run-setup.ts';
import { SetupLeft, type SetupPrompt } from './setup-surface.ts';

const base = { keySet: null, needsBaseUrl: false, isFound: null };
const providers: readonly SetupProvider[] = [
  { ...base, id: 'anthropic', title: 'Anthropic', key: 'required', keyName: 'ANTHROPIC_API_KEY' },
  { ...base, id: 'openai', title: 'OpenAI', key: 'required', keyName: 'OPENAI_API_KEY' },
  { ...base, id: 'gemini', title: 'Gemini', key: 'required', keyName: 'GEMINI_API_KEY' },
  { ...base, id: 'ollama', title: 'Ollama', key: 'none', keyName: null, isFound: true },
  {
    ...base,
    id: 'server',
    title: 'another OpenAI-compatible server',
    key: 'optional',
    keyName: 'OPENAI_API_KEY',
    needsBaseUrl: true,
  },
  {
    ...base,
    id: 'none',
    title: 'none yet: explicit instructions only',
    key: 'none',
    keyName: null,
  },
];
const models = { fast: 'haiku', balanced: 'sonnet', best: 'opus' };
const cost: CheckCost = { usd: 0.0004, isPriceKnown: true };
const served: ServedModels = {
  models: ['opus', 'sonnet', 'haiku', 'old'],
  choice: models,
  problem: null,
};
const failing = (
  kind: 'key' | 'unreachable' | 'other',
  choice: typeof models | null = null,
): ServedModels => ({ models: [], choice, problem: { kind, message: 'It said no.' } });
const checked: SetupCheck = { model: 'sonnet', latencyMs: 900, costUsd: 0, problem: null };
const proposal: SetupProposal = {
  changes: [
    { file: '/c/config.yaml', setting: 'provider', before: null, after: 'anthropic' },
    { file: '/c/.env', setting: 'ANTHROPIC_API_KEY', before: null, after: '********x4Qd' },
  ],
  overrides: [],
};

interface Results {
  cost?: CheckCost;
  served?: ServedModels;
  proposal?: SetupProposal;
  /** The base URL that is refused. */
  refused?: string;
}

/** Goes through a setup with these answers, the pasted ones as `{ paste }`; then the person leaves. */
async function reach(
  answers: readonly (string | { readonly paste: string })[],
  results: Results = {},
) {
  const left = [...answers];
  const lines: string[] = [];
  const prompts: SetupPrompt[] = [];
  const calls: (readonly [string, unknown])[] = [];
  const does =
    <T>(name: string, result: T) =>
    async (given: { readonly baseUrl?: string | undefined }) => {
      calls.push([name, given]);
      if (results.refused !== undefined && given.baseUrl === results.refused)
        throw new AppError('USAGE', { problem: 'No.', field: 'baseUrl' });
      return result;
    };
  const setup = {
    isNeeded: async () => true,
    sandbox: async () => ({ level: 'A' as const, reason: '' }),
    providers: async () => providers,
    checkCost: does('cost', results.cost ?? cost),
    models: does('models', results.served ?? served),
    check: does('check', checked),
    propose: does('propose', results.proposal ?? proposal),
    write: async (given: SetupProposal) => void calls.push(['write', given]),
  };
  const outcome = await runSetup(
    { setup },
    {
      print: (more) => lines.push(...more.map(({ text }) => text)),
      async ask(prompt) {
        prompts.push(prompt);
        const answer = left.shift();
        if (answer === undefined) throw new SetupLeft();
        return typeof answer === 'string'
          ? { text: answer, isPasted: false }
          : { text: answer.paste, isPasted: true };
      },
      during: (_what, work) => work,
    },
    { environment: {}, cwd: '/shop' },
  );
  return {
    outcome,
    all: lines.join('\n'),
    lines,
    prompt: prompts.at(-1),
    calls,
    call: calls.at(-1),
  };
}

describe('setup', () => {
  it('goes from a provider to a written file as frame 1 shows it', async () => {
    const key = 'k'.repeat(108);
    const { outcome, lines, call } = await reach(['1', { paste: key }, '1', 'y']);
    expect(lines.slice(2)).toEqual([
      'Which model should it use?',
      '  1 Anthropic   2 OpenAI   3 Gemini   4 Ollama (found on this machine)',
      '  5 another OpenAI-compatible server   6 none yet: explicit instructions only',
      'Anthropic · key (hidden): 108 characters pasted; a check costs under $0.001',
      'The key works. Models (2: choose others from 4):',
      '  1 haiku (fast), sonnet (balanced), opus (best)',
      'sonnet answered in 900 ms. Write this? Only you can read these files.',
      '  /c/config.yaml   provider: anthropic',
      '  /c/.env          ANTHROPIC_API_KEY=********x4Qd',
    ]);
    expect(call).toEqual(['write', proposal]);
    expect(outcome).toBe('written');
  });

  it('says that a task typed too early comes after the choice', async () => {
    const { all } = await reach(['Count the lines of notes.txt', 'none']);
    expect(all).toContain('Choose a model first, then type the task. Type a number from 1 to 6');
    expect((await reach(['9'])).all).not.toContain('then type the task');
  });

  it('hides the key, and asks again for a wrong one', async () => {
    const { prompt, all } = await reach(['1', 'wrong'], { served: failing('key') });
    expect(prompt).toEqual({ text: '  Anthropic key (hidden): ', isHidden: true });
    expect(all).toContain('It said no.');
    expect(all).not.toContain('wrong');
  });

  it("offers to write without a check if the vendor can't be reached", async () => {
    const results = { served: failing('unreachable', models) };
    expect((await reach(['1', 'key'], results)).prompt?.text).toContain('y write unchecked');
    expect((await reach(['1', 'key', 'r'], results)).call?.[0]).toBe('models');
    const { call } = await reach(['1', 'key', 'y'], results);
    expect(call).toEqual([
      'propose',
      expect.objectContaining({ provider: 'anthropic', key: 'key' }),
    ]);
  });

  it('asks for each model by number or name, and says the cost of a check again', async () => {
    const { calls, all } = await reach(['1', 'key', '2', '4', '', 'mine']);
    const [again, check, proposed] = calls.slice(-3);
    expect(again).toMatchObject(['cost', { model: 'old' }]);
    expect(check).toMatchObject(['check', { model: 'old' }]);
    expect(proposed).toMatchObject([
      'propose',
      { models: { balanced: 'old', fast: 'haiku', best: 'mine' } },
    ]);
    expect(all).toContain('\n  a check costs under $0.001');
  });

  it('does not ask for a key of a local server, or about its only model', async () => {
    const one = { fast: 'qwen3', balanced: 'qwen3', best: 'qwen3' };
    const only = { models: ['qwen3'], choice: one, problem: null };
    const free = { usd: 0, isPriceKnown: true };
    const { calls, all } = await reach(['4'], { cost: free, served: only });
    expect(all).toContain('Ollama answers. Its model: qwen3');
    expect(calls).toContainEqual([
      'check',
      expect.objectContaining({ provider: 'ollama', model: 'qwen3' }),
    ]);
  });

  it('asks for the address of another server, again if it is invalid', async () => {
    const refused = { refused: 'nonsense' };
    expect((await reach(['5', 'nonsense'], refused)).prompt?.text).toContain('Its address');
    const { call } = await reach(['5', 'nonsense', 'http://127.0.0.1:8000/v1'], refused);
    expect(call?.[1]).toMatchObject({ baseUrl: 'http://127.0.0.1:8000/v1' });
  });

  it('asks nothing about no model, except whether to write that', async () => {
    const { calls } = await reach(['6']);
    expect(calls).toEqual([['propose', { provider: 'none' }]]);
  });

  it.each(['', 'yes', '1', 'Y'])('writes nothing for the answer "%s"', async (text) => {
    const { calls, prompt } = await reach(['6', text]);
    expect(calls).toHaveLength(1);
    expect(prompt?.text).toContain('y write');
  });

  it('writes nothing after n, or if the person leaves at any point', async () => {
    expect((await reach(['6', 'n'])).outcome).toBe('unchanged');
    const path = ['1', 'key', '1'];
    for (let length = 0; length <= path.length; length += 1) {
      const { outcome, calls } = await reach(path.slice(0, length));
      expect(outcome).toBe('left');
      expect(calls.map(([name]) => name)).not.toContain('write');
    }
  });

  it('names what overrides the files', async () => {
    const override = {
      setting: 'OPENAI_API_KEY',
      layer: 'environment',
      source: 'OPENAI_API_KEY',
      value: '********',
    } as const;
    const { all } = await reach(['6'], { proposal: { ...proposal, overrides: [override] } });
    expect(all).toContain('OPENAI_API_KEY is set in the environment and overrides it: ********');
  });

  it('escapes what the vendor says', async () => {
    const evil = '\u001b[2Jmodel';
    const { all } = await reach(['4'], {
      served: { models: [evil], choice: { fast: evil, balanced: evil, best: evil }, problem: null },
    });
    expect(all).not.toContain('\u001b');
  });
});
