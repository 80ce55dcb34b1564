import { describe, expect, it } from 'vitest';
import type { SetupProvider } from '../../app/setup/list-providers.ts';
import type { SetupProposal } from '../../app/setup/propose-changes.ts';
import type { SetupInput, SetupStep } from './setup-step.ts';
import { startSetup, takeInput } from './setup-steps.ts';

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
const line = (text: string, isPasted = false): SetupInput => ({ kind: 'line', text, isPasted });
const cost: SetupInput = { kind: 'cost', cost: { usd: 0.0004, isPriceKnown: true } };
const served: SetupInput = {
  kind: 'models',
  served: { models: ['opus', 'sonnet', 'haiku', 'old'], choice: models, problem: null },
};
const failing = (
  kind: 'key' | 'unreachable' | 'other',
  choice: typeof models | null = null,
): SetupInput => ({
  kind: 'models',
  served: { models: [], choice, problem: { kind, message: 'It said no.' } },
});
const checked: SetupInput = {
  kind: 'checked',
  check: { model: 'sonnet', latencyMs: 900, costUsd: 0, problem: null },
};
const proposal: SetupProposal = {
  changes: [
    { file: '/c/config.yaml', setting: 'provider', before: null, after: 'anthropic' },
    { file: '/c/.env', setting: 'ANTHROPIC_API_KEY', before: null, after: '********x4Qd' },
  ],
  overrides: [],
  isKeyShort: false,
};
const proposed: SetupInput = { kind: 'proposed', proposal };

function reach(...inputs: readonly SetupInput[]): { step: SetupStep; all: string } {
  let step = startSetup({ providers, head: ['Capstan'], shownPath: (path) => path });
  const all = [step];
  for (const input of inputs) {
    step = takeInput(step.state, input);
    all.push(step);
  }
  return { step, all: all.flatMap(({ lines }) => lines.map(({ text }) => text)).join('\n') };
}

describe('setup', () => {
  it('goes from a provider to a written file as frame 1 shows it', () => {
    const key = 'k'.repeat(108);
    const { step, all } = reach(
      line('1'),
      cost,
      line(key, true),
      served,
      line('1'),
      checked,
      proposed,
      line('y'),
    );
    expect(all).toBe(
      [
        'Capstan',
        'Which model should it use?',
        '  1 Anthropic   2 OpenAI   3 Gemini   4 Ollama (found on this machine)',
        '  5 another OpenAI-compatible server   6 none yet: explicit instructions only',
        'Anthropic · key (hidden): 108 characters pasted; a check costs under $0.001',
        'The key works. Models (2: choose others from 4):',
        '  1 haiku (fast), sonnet (balanced), opus (best)',
        'sonnet answered in 900 ms. Write this? Only you can read these files.',
        '  /c/config.yaml   provider: anthropic',
        '  /c/.env          ANTHROPIC_API_KEY=********x4Qd',
      ].join('\n'),
    );
    expect(step.effect).toEqual({ kind: 'write', proposal });
    expect(takeInput(step.state, { kind: 'written' }).outcome).toBe('written');
  });

  it('hides the key, and asks again for a wrong one', () => {
    const { step, all } = reach(line('1'), cost, line('wrong'), failing('key'));
    expect(step.prompt).toEqual({ text: '  Anthropic key (hidden): ', isHidden: true });
    expect(all).toContain('It said no.');
    expect(step.state.key).toBe(undefined);
  });

  it('offers to write unchecked if the vendor can not be reached', () => {
    const unreachable = reach(line('1'), cost, line('key'), failing('unreachable', models)).step;
    expect(unreachable.prompt?.text).toContain('y write unchecked');
    expect(takeInput(unreachable.state, line('r')).effect?.kind).toBe('models');
    expect(takeInput(unreachable.state, line('y')).effect).toMatchObject({
      kind: 'propose',
      selection: { provider: 'anthropic', key: 'key' },
    });
  });

  it('asks for each model by number or name, and says the cost of a check again', () => {
    const { step } = reach(
      line('1'),
      cost,
      line('key'),
      served,
      line('2'),
      line('4'),
      line(''),
      line('mine'),
    );
    expect(step.state.models).toEqual({ balanced: 'old', fast: 'haiku', best: 'mine' });
    expect(step.effect).toMatchObject({ kind: 'cost', access: { model: 'old' } });
    const next = takeInput(step.state, cost);
    expect(next.lines[0]?.text).toBe('  a check costs under $0.001');
    expect(next.effect).toMatchObject({ kind: 'check', access: { model: 'old' } });
  });

  it('does not ask for a key of a local server, or about its only model', () => {
    const one = { fast: 'qwen3', balanced: 'qwen3', best: 'qwen3' };
    const free: SetupInput = { kind: 'cost', cost: { usd: 0, isPriceKnown: true } };
    const only: SetupInput = {
      kind: 'models',
      served: { models: ['qwen3'], choice: one, problem: null },
    };
    const { step, all } = reach(line('4'), free, only);
    expect(all).toContain('Ollama answers. Its model: qwen3');
    expect(step.effect).toMatchObject({
      kind: 'check',
      access: { provider: 'ollama', model: 'qwen3' },
    });
  });

  it('asks for the address of another server, again if it is none', () => {
    const { step } = reach(line('5'), line('nonsense'), {
      kind: 'refused',
      field: 'baseUrl',
      message: 'No.',
    });
    expect(step.prompt?.text).toContain('Its address');
    const next = takeInput(step.state, line('http://127.0.0.1:8000/v1'));
    expect(next.effect).toMatchObject({ access: { baseUrl: 'http://127.0.0.1:8000/v1' } });
  });

  it('asks nothing about no model, except whether to write that', () => {
    expect(reach(line('6')).step.effect).toEqual({
      kind: 'propose',
      selection: { provider: 'none' },
    });
  });

  it.each(['', 'yes', '1', 'Y'])('writes nothing for the answer "%s"', (text) => {
    const { step } = reach(line('6'), proposed, line(text));
    expect(step.effect).toBe(null);
    expect(step.prompt).not.toBe(null);
  });

  it('writes nothing after n, or if the person leaves at any point', () => {
    expect(reach(line('6'), proposed, line('n')).step.outcome).toBe('unchanged');
    const path = [line('1'), cost, line('key'), served, line('1'), checked, proposed];
    for (let length = 0; length <= path.length; length += 1) {
      const { step } = reach(...path.slice(0, length), { kind: 'leave' });
      expect(step.outcome).toBe('left');
      expect(step.state.key).toBe(undefined);
    }
  });

  it('says what wins over the files, and what a short key means', () => {
    const override = {
      setting: 'OPENAI_API_KEY',
      layer: 'environment',
      source: 'OPENAI_API_KEY',
      value: '********',
    } as const;
    const { all } = reach(line('6'), {
      kind: 'proposed',
      proposal: { ...proposal, overrides: [override], isKeyShort: true },
    });
    expect(all).toContain('OPENAI_API_KEY is set in the environment and wins: ********');
    expect(all).toContain('less than 16 characters');
  });

  it('escapes what the vendor says', () => {
    const evil = '\u001b[2Jmodel';
    const { all } = reach(line('4'), cost, {
      kind: 'models',
      served: { models: [evil], choice: { fast: evil, balanced: evil, best: evil }, problem: null },
    });
    expect(all).not.toContain('\u001b');
  });
});
