import { expect, it } from 'vitest';
import * as z from 'zod';
import { parseStrictYaml } from './strict-yaml.ts';

const Text = z.union([z.string(), z.strictObject({ contains: z.string() })]);
const schema = z.strictObject({
  task: z.string().min(1),
  mode: z.enum(['a', 'b']).optional(),
  most: z.int().max(9).optional(),
  list: z.array(z.string()).min(1).optional(),
  text: Text.optional(),
});
const form = { schema, fields: [...Object.keys(schema.shape), 'contains'], page: 'docs/x.md' };

async function problemOf(text: string): Promise<string> {
  const parsed = await parseStrictYaml('/c.yaml', text, form);
  if (!('problems' in parsed)) throw new Error('it is valid');
  const { where, problem, fix } = parsed.problems[0]?.found ?? {};
  return `${where} ${problem}. ${fix}`;
}

it.each([
  ['# nothing\nmode: a', '/c.yaml:2 task: it is missing; it must be a text. Add it.'],
  ['task: [1]', '/c.yaml:1 task: [1]: must be a text. Correct it.'],
  ['task: ""', '/c.yaml:1 task: "": must not be empty. Correct it.'],
  ['task: x\nmode: c', '/c.yaml:2 mode: "c": must be one of "a", "b". Correct it.'],
  ['task: x\nmost: 12', '/c.yaml:2 most: 12: must be at most 9. Correct it.'],
  ['task: x\nlist: []', '/c.yaml:2 list: []: must have at least 1 entry. Correct it.'],
  ['task: x\ntext: 3', '/c.yaml:2 text: 3: must be a text or a group of fields. Correct it.'],
  [
    'task: x\ntext:\n  contain: y',
    '/c.yaml:3 text contains: it is missing; it must be a text. Add it.',
  ],
  ['just text', '/c.yaml:1 "just text": must be a group of fields. Correct it.'],
])('says in plain words, with the line, what is wrong with %j', async (text, said) => {
  expect(await problemOf(text)).toBe(said);
});

it('refuses aliases that expand to more than anybody writes', async () => {
  const more = 'bcdef'
    .split('')
    .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcde'[index]}`).join(', ')}]`);
  const said = await problemOf(`a: &a [x, x, x, x, x, x, x, x, x]\n${more.join('\n')}\n`);
  expect(said).toBe('/c.yaml its aliases expand to too much. Write the values themselves.');
});
