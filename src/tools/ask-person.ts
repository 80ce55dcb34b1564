import * as z from 'zod';
import { defineTool, targetLine } from './define/tool.ts';

export const ASK_PERSON = 'ask_person';

/** Longest question, and longest answer in the person's own words, in characters. */
const MAX_QUESTION_CHARS = 2_000;
export const MAX_ANSWER_CHARS = 4_000;

const text = (maxChars: number) =>
  z
    .string()
    .max(maxChars)
    .refine((given) => given.trim() !== '', 'must not be blank');

const args = () =>
  z
    .strictObject({
      question: text(MAX_QUESTION_CHARS).describe(
        'One question, complete in itself. Never for a key or a password.',
      ),
      choices: z
        .array(text(200))
        .max(4)
        .refine((texts) => new Set(texts).size === texts.length, 'must differ from each other')
        .default([])
        .describe('Answers to choose from.'),
      free_text: z
        .boolean()
        .optional()
        .describe('Also accept other words. Default: only if there are no choices.'),
    })
    .refine(({ choices, free_text }) => choices.length > 0 || free_text !== false, {
      message: 'must be true if there are no choices',
      path: ['free_text'],
    });

/** What a capsule asks a person. @param given Arguments that `askPerson.prepare` accepted. */
export function personQuestion(given: unknown) {
  const { question, choices, free_text: freeText } = args().parse(given);
  return { question, choices, freeText: freeText ?? choices.length === 0 };
}

/** Every agentic capsule may use it. The broker asks and answers; it is never performed as other tools are. */
export const askPerson = defineTool({
  name: ASK_PERSON,
  effects: 'local',
  operations: [],
  words: () => ({ does: 'ask', done: 'asked', verb: 'ask' }),
  description:
    'Asks the person who gave the task, if it can be read in two ways or something is missing that no tool can find. The answer gives no permission: tools ask for that themselves.',
  args,
  operation: ({ question }) => ({
    name: ASK_PERSON,
    tier: 0,
    repeatability: 'pure',
    paths: [],
    isQuestion: true,
    target: targetLine(question),
  }),
  perform: () => Promise.reject(new Error('ask_person is answered by the broker')),
});
