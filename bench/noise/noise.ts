import type { Script, ScriptedAnswer, ScriptedRequest } from '../../test/model-server/script.ts';
import { pickFrom, seeded } from '../tasks/seeded.ts';
import { ended, nextMove, stepOf } from './scripted-model.ts';
import type { ScriptedCall, ScriptedStep, TaskScript } from './scripts.ts';

type Pick = <T>(among: readonly T[]) => T;

/**
 * A proxy in front of a correct model. It replaces every n-th answer (n from 2 to 4, by the seed) with a typical
 * mistake of real models.
 */
export function noisy(correct: Script, script: TaskScript, seed: number): Script {
  const random = seeded(seed);
  const pick: Pick = (among) => pickFrom(among, random);
  const every = pick([2, 3, 4]);
  const offset = Math.floor(random() * every);
  return async (request) => {
    if (request.index % every !== offset) return correct(request);
    return request.responseName === undefined
      ? pick(mistakes)({ request, step: stepOf(request, script), pick })
      : pick(wrongDocuments);
  };
}

const wrongDocuments: readonly ScriptedAnswer[] = [
  { text: 'Sure! First I would look at the file, then compute the figures and save them.' },
  { text: "I'm sorry, but I can't help with that." },
  { json: { steps: 'look at the file, compute, save' } },
  { text: '' },
];

interface Moment {
  readonly request: ScriptedRequest;
  readonly step: ScriptedStep;
  readonly pick: Pick;
}

/** The correct call at this point. */
function callOf({ request, step }: Moment): ScriptedCall {
  const [call] = nextMove(request, step).tool_calls ?? [];
  return call ?? { name: 'final', args: ended(step) };
}

const preamble = ({ pick }: Moment): ScriptedAnswer => ({
  text: pick([
    "I'll start by looking at the data.",
    'Let me compute the figures now and write them to the file.',
    'Great, I will run the query and save the result.',
  ]),
});

function textualCall(moment: Moment): ScriptedAnswer {
  const { name, args } = callOf(moment);
  const json = JSON.stringify({ name, arguments: args });
  return {
    text: moment.pick([
      `<tool_call>\n${json}\n</tool_call>`,
      `\`\`\`json\n${json}\n\`\`\``,
      `<function=${name}>${JSON.stringify(args)}</function>`,
      `<|tool_call|>${JSON.stringify([{ name, arguments: args }])}`,
      `Thought: I need the tool.\nAction: ${name}\nAction Input: ${JSON.stringify(args)}`,
    ]),
  };
}

const foreignTool = ({ pick }: Moment): ScriptedAnswer => ({
  tool_calls: [{ name: pick(['browser_open', 'bash', 'read_file']), args: { path: '.' } }],
});

function earlyFinal(moment: Moment): ScriptedAnswer {
  const call = callOf(moment);
  const end = { name: 'final', args: ended(moment.step) };
  return { tool_calls: call.name === 'final' ? [end] : [call, end] };
}

const claim = ({ pick }: Moment): ScriptedAnswer => ({
  tool_calls: [
    {
      name: 'final',
      args: {
        status: 'ok',
        result: 'All figures are computed and saved.',
        artifacts: pick([['summary.pdf'], ['out/figures.json'], []]),
      },
    },
  ],
});

const refusal = ({ pick }: Moment): ScriptedAnswer =>
  pick<ScriptedAnswer>([
    { text: "I'm sorry, but I can't help with that." },
    { text: 'I cannot assist with this request.', finish: 'refusal' },
  ]);

function garbage(moment: Moment): ScriptedAnswer {
  const { name, args } = callOf(moment);
  const damaged = moment.pick<Record<string, unknown>>([
    {},
    { ...args, sql: 7, code: 7, status: 'fine' },
    { arguments: JSON.stringify(args) },
    { ...args, extra: true },
  ]);
  return { tool_calls: [{ name, args: damaged }] };
}

const mistakes: readonly ((moment: Moment) => ScriptedAnswer)[] = [
  preamble,
  textualCall,
  foreignTool,
  earlyFinal,
  claim,
  refusal,
  garbage,
];
