import * as z from 'zod';
import { defineTool } from './define/tool.ts';

export const ASK_PERSON = 'ask_person';

/** Longest question, and longest answer in the person's own words, in characters. */
const MAX_QUESTION_CHARS = 2_000;
export const MAX_ANSWER_CHARS = 4_000;

const MAX_TARGET_CHARS = 100;

const choice = () =>
  z
    .string()
    .max(200)
    .refine((text) => text.trim() !== '', 'must not be blank');

const args = () =>
  z
    .strictObject({
      question: z
        .string()
        .max(MAX_QUESTION_CHARS)
        .refine((text) => text.trim() !== '', 'must not be blank')
        .describe('One question, complete in itself. Never for a key or a password.'),
      choices: z
        .array(choice())
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
    target: firstLine(question),
  }),
  perform: () => Promise.reject(new Error('ask_person is answered by the broker')),
});

function firstLine(question: string): string {
  const line = question.trim().split(/\s*\n/, 1)[0] ?? '';
  return line.length > MAX_TARGET_CHARS ? `${line.slice(0, MAX_TARGET_CHARS - 1)}…` : line;
}
