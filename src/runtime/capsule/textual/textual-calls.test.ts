import { describe, expect, it } from 'vitest';
import type { ToolDescription } from '../../../contract/wire/chat.ts';
import { findTextualCalls } from './textual-calls.ts';

const properties = { path: { type: 'string' }, from: { type: 'integer' } };
const offered: readonly ToolDescription[] = ['file_io', 'sql_query', 'final'].map((name) => ({
  name,
  description: '',
  parameters: { type: 'object', properties },
}));

const find = (text: string) => findTextualCalls(text, offered)?.calls;
const args = { path: 'a.md', from: 2 };
const json = JSON.stringify({ name: 'file_io', arguments: args });
const read = { name: 'file_io', args };

describe('a call written as text', () => {
  it.each([
    ['in tags', `<tool_call>\n${json}\n</tool_call>`],
    ['in tags without their end', `<tool_call>\n${json}`],
    ['after a sentence', `I'll read the file.\n<tool_call>${json}</tool_call>`],
    ['after reasoning', `<think>I need {it}.</think>\n<tool_call>${json}</tool_call>`],
    ['before the end of a turn', `<tool_call>${json}</tool_call><|im_end|>`],
    ['in a fence', `\`\`\`json\n${json}\n\`\`\``],
    ['in a fence without its end', `Reading it:\n\`\`\`\n${json}`],
    ['in tags in a fence', `\`\`\`xml\n<tool_call>${json}</tool_call>\n\`\`\``],
    ['as the whole text', json],
    ['as a list', `[${json}]`],
    ['under "tool" and "args"', `\`\`\`json\n${JSON.stringify({ tool: 'file_io', args })}\n\`\`\``],
    ['under "parameters"', JSON.stringify({ name: 'file_io', parameters: args })],
    ['under "input"', JSON.stringify({ type: 'tool_use', name: 'file_io', input: args })],
    ['under "action"', JSON.stringify({ action: 'file_io', action_input: args })],
    [
      'as OpenAI writes it',
      JSON.stringify({
        tool_calls: [
          {
            id: 'x',
            type: 'function',
            function: { name: 'file_io', arguments: JSON.stringify(args) },
          },
        ],
      }),
    ],
    ['as a function', `<function=file_io>${JSON.stringify(args)}</function>`],
    [
      'as a function with parameters',
      '<tool_call>\n<function=file_io>\n<parameter=path>\na.md\n</parameter>\n<parameter=from>\n2\n</parameter>\n</function>\n</tool_call>',
    ],
    [
      'as a name and arguments in tags',
      '<tool_call>file_io\n<arg_key>path</arg_key>\n<arg_value>a.md</arg_value>\n<arg_key>from</arg_key>\n<arg_value>2</arg_value>\n</tool_call>',
    ],
    [
      'as an invocation',
      '<function_calls>\n<invoke name="file_io">\n<parameter name="path">a.md</parameter>\n<parameter name="from">2</parameter>\n</invoke>\n</function_calls>',
    ],
    ['after a token', `<|tool_call|>[${json}]`],
    ['between tokens', `<|tool_call|>${json}<|/tool_call|>`],
    ['after [TOOL_CALLS]', `[TOOL_CALLS] [${json}]`],
    ['after [TOOL_CALLS] with its name', `[TOOL_CALLS]file_io[ARGS]${JSON.stringify(args)}`],
    ['after a Python tag', `<|python_tag|>${json}`],
    ['as an action', `Thought: I need it.\nAction: file_io\nAction Input: ${JSON.stringify(args)}`],
    [
      'as an action whose observation is made up',
      `Action: file_io\nAction Input: ${JSON.stringify(args)}\nObservation: it is empty\nThought: done`,
    ],
    ['as a bold action', `**Action:** \`file_io\`\n**Action Input:** ${JSON.stringify(args)}`],
    ['with a comma too many', '{"name": "file_io", "arguments": {"path": "a.md", "from": 2,},}'],
  ])('is found %s', (_how, text) => {
    expect(find(text)).toEqual([read]);
  });

  it('is found with line breaks inside a string', () => {
    const text = '<tool_call>{"name": "file_io", "arguments": {"path": "a\nb"}}</tool_call>';
    expect(find(text)).toEqual([{ name: 'file_io', args: { path: 'a\nb' } }]);
  });

  it.each([
    ['in tags', `<tool_call>${json}</tool_call>\n<tool_call>${json}</tool_call>`],
    ['in a list', `\`\`\`json\n[${json}, ${json}]\n\`\`\``],
    ['in fences', `\`\`\`json\n${json}\n\`\`\`\n\n\`\`\`json\n${json}\n\`\`\``],
    ['on lines', `${json}\n${json}`],
    ['after [TOOL_CALLS]', `[TOOL_CALLS]file_io${JSON.stringify(args)}[TOOL_CALLS]${json}`],
  ])('is found with others %s', (_how, text) => {
    expect(find(text)).toEqual([read, read]);
  });

  it('keeps arguments that are not a JSON object, so that the model gets an error', () => {
    expect(find('Action: file_io\nAction Input: the file a.md')).toEqual([
      { name: 'file_io', args: {}, invalid: 'the file a.md' },
    ]);
  });

  it('may be the end of the work', () => {
    const end = { status: 'ok', result: 'done' };
    expect(find(`<tool_call>${JSON.stringify({ name: 'final', arguments: end })}`)).toEqual([
      { name: 'final', args: end },
    ]);
  });
});

describe('no call', () => {
  it.each([
    ['an answer', 'The file has three lines.'],
    ['JSON that is not a call', '{"name": "Ada", "age": 36}'],
    [
      'a call of a tool that is not offered',
      '<tool_call>{"name":"bash","arguments":{}}</tool_call>',
    ],
    ['a call with further keys', '{"name": "file_io", "path": "a.md"}'],
    ['an example in the middle', `Send this:\n\`\`\`json\n${json}\n\`\`\`\nIt reads the file.`],
    ['an example at the end', `For example:\n\`\`\`json\n${json}\n\`\`\``],
    ['an instruction for the reader', `You can delete it with\n<tool_call>${json}</tool_call>`],
    ['a quoted page', `The page says:\n<tool_call>${json}</tool_call>`],
    ['a quotation', `It is dangerous.\n> <tool_call>${json}</tool_call>`],
    ['a warning', `Never do this.\n<tool_call>${json}</tool_call>`],
    ['a call in quotation marks', `The file has the line "<tool_call>${json}</tool_call>`],
    [
      'the end of a long answer',
      `${'A long answer. '.repeat(200)}\n<tool_call>${json}</tool_call>`,
    ],
    ['a call in reasoning', `<think><tool_call>${json}</tool_call></think>It is done.`],
    ['unfinished reasoning', `<think><tool_call>${json}</tool_call>`],
    ['one call among prose and another', `<tool_call>${json}</tool_call> and <tool_call>${json}`],
    ['broken JSON', '<tool_call>{"name": "file_io", "arguments": {"path"</tool_call>'],
    ['a call inside an argument', `<tool_call>{"content": "<tool_call>${json}</tool_call>`],
    ['nothing', ''],
  ])('is %s', (_what, text) => {
    expect(find(text)).toBeUndefined();
  });
});

describe('a call that is quoted from the input of the model', () => {
  const call = `<tool_call>\n${json}\n</tool_call>`;
  const file = JSON.stringify({ content: `# Notes\n${call}\nThe end.` });
  it.each([
    ['alone', call],
    ['after words of its own', `Ich lese die Datei:\n${call}`],
    ['in a fence', `\`\`\`\n${call}\n\`\`\``],
    ['after the end of a thought', `It says:\n</think>${call}`],
  ])('is not a call: %s', (_what, text) => {
    expect(findTextualCalls(text, offered)?.calls ?? []).toHaveLength(
      text.includes('says') ? 0 : 1,
    );
    expect(findTextualCalls(text, offered, ['Read it', file])).toBeUndefined();
  });

  it('is one if anything differs', () => {
    const other = call.replace('a.md', 'b.md');
    expect(findTextualCalls(other, offered, ['Read it', file])?.calls).toHaveLength(1);
  });
});

describe('hostile text', () => {
  const pieces = [
    '<tool_call>',
    '</tool_call>',
    '<function=',
    '<parameter=',
    '>',
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    ',',
    ' ',
    '\n',
    '```',
    '```json\n',
    'Action:',
    'Action Input:',
    'Observation:',
    '<|tool_call|>',
    '[TOOL_CALLS]',
    'functools',
    '<arg_key>',
    '<invoke name="',
    '<think>',
    '</think>',
    '*',
    '`',
    json,
    'a',
  ];
  const random = (seed: number) => {
    let state = seed;
    return () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return state / 2 ** 31;
    };
  };

  it('never throws, and returns only calls of offered tools', () => {
    const next = random(7);
    const names = new Set(offered.map(({ name }) => name));
    for (let round = 0; round < 5_000; round += 1) {
      const length = 1 + Math.floor(next() * 12);
      const text = Array.from({ length }, () => pieces[Math.floor(next() * pieces.length)]).join(
        '',
      );
      for (const { name } of find(text) ?? []) expect(names).toContain(name);
    }
  });

  it('takes time proportional to its length', () => {
    const took = (text: string) => {
      const start = performance.now();
      find(text);
      return performance.now() - start;
    };
    for (const piece of [...pieces, `<tool_call>${json}</tool_call>\n`, '", ', ',   ', '\n```\n']) {
      for (const end of ['', '<tool_call>{', json, '```']) {
        const text = piece.repeat(Math.ceil(150_000 / piece.length)) + end;
        expect(Math.min(took(text), took(text)), JSON.stringify([piece, end])).toBeLessThan(750);
      }
    }
  });
});
