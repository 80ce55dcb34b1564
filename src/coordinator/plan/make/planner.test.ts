import { describe, expect, it } from 'vitest';
import type { Broker } from '../../../broker/answer.ts';
import type { ChatRequest, ChatResponse } from '../../../contract/wire/chat.ts';
import type { ApiCallIntent } from '../../../contract/wire/protocol.ts';
import type { RunContext } from '../../context/run-context.ts';
import type { Step } from '../plan.ts';
import { withFreeIds } from './free-ids.ts';
import type { PlanQuestion } from './plan-question.ts';
import { makePlan, wholeTask } from './planner.ts';

const question: PlanQuestion = {
  task: 'Rhyme it and print it',
  phase: 'execution',
  found: [],
  capsules: [
    { id: 'bard', description: 'Rhymes.', can: ['write'] },
    { id: 'clerk', description: 'Files.' },
  ],
  max_subtasks: 5,
};

const response = (text: string, changes: Partial<ChatResponse> = {}): ChatResponse => ({
  text,
  tool_calls: [],
  finish: 'stop',
  model: 'm',
  ...changes,
});

/** Plans with a model that returns these answers, one after the other. */
async function plan(
  answers: readonly (ChatResponse | object)[],
  changes: Partial<PlanQuestion> = {},
  earlier: ReadonlyMap<string, boolean> = new Map(),
) {
  const left = [...answers];
  const problems: string[] = [];
  const asked: ChatRequest[] = [];
  const broker: Broker = {
    async answer(intent) {
      asked.push((intent as ApiCallIntent).request as ChatRequest);
      const next = left.shift() ?? {};
      const given = 'text' in next ? next : response(JSON.stringify(next));
      return { type: 'api_call_decision', approved: true, note: '', response: given };
    },
  };
  const notices: string[] = [];
  const events = {
    emit: (event: { problem?: string; text?: string }) =>
      event.problem === undefined ? notices.push(event.text ?? '') : problems.push(event.problem),
  };
  const run = { parts: { broker, events }, record: {}, scope: {} } as unknown as RunContext;
  const { plan: made } = await makePlan(run, {
    question: { ...question, ...changes },
    earlier,
    messageIds: [],
  });
  return { made, steps: made?.steps, problems, notices, asked };
}

const step = (id: string, changes: object = {}) => ({ id, description: id, ...changes });
const two = { execution: [step('a'), step('b', { depends_on: ['a'] })] };

describe('a plan in the wrong form', () => {
  it.each<[string, ChatResponse | object, RegExp]>([
    ['prose', response('First I would look at the file.'), /no JSON document "plan"/],
    ['a refusal', response("I'm sorry, I can't.", { finish: 'refusal' }), /no JSON document/],
    ['nothing', response(''), /no JSON document/],
    ['a list', [step('a')], /must be a group of fields/],
    ['other fields', { steps: 'look, compute, save' }, /no step/],
    ['a final', { name: 'final', arguments: { status: 'ok', result: 'done' } }, /no step/],
    [
      'a call of a tool',
      response('', { tool_calls: [{ id: 'c', name: 'final', args: { status: 'ok' } }] }),
      /the tool "final"/,
    ],
    [
      'a plan that was cut off',
      response('{"execution": [{"id"', { finish: 'length' }),
      /truncated/,
    ],
    ['a need that does not exist', { execution: [step('a', { needs: ['fly'] })] }, /needs/],
    ['an unknown dependency', { execution: [step('a', { depends_on: ['x'] })] }, /does not exist/],
    ['two steps of one id', { execution: [step('a'), step('a')] }, /used twice/],
  ])('goes back with the reason if it is %s', async (_what, wrong, reason) => {
    const { steps, problems, asked } = await plan([wrong, two]);
    expect(steps?.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(problems).toEqual([expect.stringMatching(reason)]);
    const [system, document, refused, why] = asked[1]?.messages ?? [];
    expect([system, document]).toEqual(asked[0]?.messages);
    const said = 'text' in wrong ? wrong.text : JSON.stringify(wrong);
    expect(refused).toMatchObject({ role: 'assistant', content: expect.stringContaining(said) });
    expect(refused?.content).not.toBe('');
    expect(JSON.parse(why?.content ?? '{}')).toMatchObject({ problem: problems[0] });
  });

  it('is not accepted if the second one is invalid, too, and a notice says what happens instead', async () => {
    const { made, problems, notices, asked } = await plan([
      response('Sure!'),
      response('Sure!'),
      two,
    ]);
    expect(made).toBeUndefined();
    expect([problems.length, asked.length]).toEqual([1, 2]);
    expect(notices).toEqual([
      expect.stringMatching(/^No plan was made: .* The whole task is one step\.$/),
    ]);
  });

  it.each([
    ['in a fence', `\`\`\`json\n${JSON.stringify(two)}\n\`\`\``],
    ['in prose', `Here it is: ${JSON.stringify(two)} Good luck!`],
    [
      'with null for what may be left out',
      JSON.stringify({ discovery: null, ...two }).replace(
        '"id":"a"',
        '"id":"a","capsule":null,"writes":null',
      ),
    ],
  ])('is taken if it is only %s', async (_what, text) => {
    const { steps, problems } = await plan([response(text)]);
    expect(problems).toEqual([]);
    expect(steps?.map(({ id }) => id)).toEqual(['a', 'b']);
  });
});

describe('a capsule in a plan', () => {
  it.each([
    ['does not exist', { capsule: 'nobody' }, /"nobody", which does not exist/],
    [
      'lacks what the step needs',
      { capsule: 'bard', needs: ['delete'] },
      /"delete".*"bard" can't do/,
    ],
  ])('goes back if it %s', async (_what, changes, reason) => {
    const { problems, steps } = await plan([{ execution: [step('a', changes), step('b')] }, two]);
    expect(problems).toEqual([expect.stringMatching(reason)]);
    expect(steps).toHaveLength(2);
  });

  it('is kept if it can do the step', async () => {
    const { steps } = await plan([
      {
        execution: [step('a', { capsule: 'bard', needs: ['write'], writes: ['a.md'] }), step('b')],
      },
    ]);
    expect(steps?.[0]).toMatchObject({ capsule: 'bard', needs: ['write'], writes: ['a.md'] });
  });

  it('that the task names must not be left out', async () => {
    const wish = { named: '@bard' };
    const { problems } = await plan([two, { execution: [step('@bard'), step('b')] }], wish);
    expect(problems).toContain('no step begins with @bard, which the task names');
    const found = [{ subtask_id: 's0', description: '@bard Rhyme it', result: 'rhymes' }];
    const later = await plan([two], { ...wish, found }, new Map([['s0', true]]));
    expect(later.problems).toEqual([]);
  });
});

describe('a task of one step', () => {
  it('keeps the words of the task', async () => {
    const { steps } = await plan([{ execution: [step('a', { writes: ['out.md'] })] }]);
    expect(steps).toMatchObject([{ description: question.task, writes: ['out.md'] }]);
  });

  it('has the words of the plan if there are messages or findings', async () => {
    const found = [{ subtask_id: 's0', description: 'Look', result: 'two lines' }];
    const one = { execution: [step('a')] };
    expect((await plan([one], { messages: ['in German'] })).steps?.[0]?.description).toBe('a');
    const later = await plan([one], { found }, new Map([['s0', true]]));
    expect(later.steps?.[0]?.description).toBe('a');
  });
});

describe('ids that earlier steps have', () => {
  const steps = (...given: [string, ...string[]][]): Step[] =>
    given.map(([id, ...depends_on]) => ({
      id,
      description: id,
      depends_on,
      writes: [],
      needs: [],
    }));
  const named = (given: readonly Step[]) => given.map(({ id, depends_on }) => [id, ...depends_on]);

  it.each<[string, [string, ...string[]][], [string, boolean][], string[][]]>([
    ['are free again under another name', [['a']], [['a', true]], [['a_2']]],
    ['mean the earlier result to the step itself', [['a', 'a']], [['a', true]], [['a_2', 'a']]],
    ['mean both to other steps', [['a'], ['b', 'a']], [['a', true]], [['a_2'], ['b', 'a', 'a_2']]],
    [
      'give no dependency on a failure',
      [['a'], ['b', 'a']],
      [['a', false]],
      [['a_2'], ['b', 'a_2']],
    ],
    ['drop a dependency that has no result', [['b', 'a']], [['a', false]], [['b']]],
    [
      'leave a name that the plan itself uses',
      [['a'], ['a_2', 'a']],
      [['a', false]],
      [['a_3'], ['a_2', 'a_3']],
    ],
    ['leave unknown ids to the check', [['b', 'x']], [['a', true]], [['b', 'x']]],
  ])('%s', (_what, given, earlier, expected) => {
    expect(named(withFreeIds(steps(...given), new Map(earlier)))).toEqual(expected);
  });

  it('stay within the length of an id', () => {
    const long = 'a'.repeat(64);
    const [renamed] = withFreeIds(steps([long]), new Map([[long, true]]));
    expect(renamed?.id).toHaveLength(64);
    expect(renamed?.id).not.toBe(long);
  });

  it('do not prevent the whole task from becoming one step that sees all results', () => {
    const { steps: made } = wholeTask(
      'Do it',
      new Map([
        ['s1', true],
        ['look', false],
      ]),
    );
    expect(made).toMatchObject([{ id: 's1_2', description: 'Do it', depends_on: ['s1'] }]);
  });
});

describe('a plan after a failure', () => {
  const unfinished = [
    { ...step('a'), depends_on: [], writes: ['out.csv'], needs: [], status: 'failed' as const },
  ];
  const again = { unfinished, again: 'failure' as const };
  const earlier = new Map([['a', false]]);

  it('must still write what the last one promised', async () => {
    const { problems, steps } = await plan(
      [{ execution: [step('b')] }, { execution: [step('b', { writes: ['./out.csv'] })] }],
      again,
      earlier,
    );
    expect(problems).toEqual([
      'no step writes "out.csv", which a step of the last plan should write',
    ]);
    expect(steps).toMatchObject([{ id: 'b', description: 'b' }]);
  });

  it('may be empty: then nothing can replace the failed step', async () => {
    expect((await plan([{ execution: [] }], again, earlier)).steps).toEqual([]);
  });
});
