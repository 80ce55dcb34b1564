import * as z from 'zod';
import { globProblem } from '../../platform/globs/glob-tokens.ts';
import { parseHostPattern } from '../names/host-name.ts';

const MAX_RULES = 500;
const MAX_PATTERNS = 100;
const MAX_EXAMPLES = 50;

/** A list, or its only item. */
const listOf = <Item extends z.ZodType>(items: z.ZodArray<Item>) =>
  z.preprocess((value) => (Array.isArray(value) ? value : [value]), items);

const textsOf = (item: z.ZodType<string>) =>
  listOf(z.array(item).min(1, 'name at least one, or leave the field out').max(MAX_PATTERNS));

const text = z
  .string('write a text')
  .min(1, 'it is empty: write a pattern, or leave the field out')
  .max(500, 'at most 500 characters');

const namePattern = text.regex(
  /^[\w*?{},.[\]-]+$/,
  'write a name, or a glob of letters, digits, _, - and . such as "file_io.*"',
);

const operationPattern = namePattern.refine(
  (value) => value.includes('.') || /^(?:\*+|chat)$/.test(value),
  'write it in full, tool and operation: "file_io.read", "*.write", "http_api.*"',
);

const pathPattern = text
  .refine((value) => !value.startsWith('!'), 'write it without "!": a rule says what it matches')
  .refine(
    (value) => !/^(?:[/~\\]|[a-z]:)/i.test(value) && !value.split('/').includes('..'),
    'write it relative to the workspace, with "/", such as "docs/**"',
  )
  .superRefine((value, { addIssue }) => {
    const problem = globProblem(value);
    if (problem !== undefined) addIssue(problem);
  });

const hostPattern = text.refine(
  (value) => parseHostPattern(value) !== undefined,
  'write a host without scheme and path: "example.com", "*.example.com", "example.com:8443" or "*"',
);

const argvPattern = text.refine(
  (value) => value.trim() !== '' && !value.trim().split(/\s+/).slice(0, -1).includes('**'),
  'write words; "*" is any one word, and "**" may only be last: "npm test **"',
);

const tiers = listOf(
  z
    .array(z.literal([0, 1, 2, 3], 'write 0 (read), 1 (write), 2 (execute) or 3 (spend)'))
    .min(1, 'name at least one'),
);

const usd = z
  .number('write an amount in dollars, such as 0.05')
  .nonnegative('at least 0')
  .max(1e6, 'at most 1000000');

const When = z.strictObject(
  {
    tool: textsOf(namePattern).optional(),
    operation: textsOf(operationPattern).optional(),
    capsule: textsOf(namePattern).optional(),
    path: textsOf(pathPattern).optional(),
    host: textsOf(hostPattern).optional(),
    argv: textsOf(argvPattern).optional(),
    cost_usd: z
      .strictObject(
        { over: usd.optional(), under: usd.optional() },
        'write over, under or both, in dollars',
      )
      .refine(
        ({ over, under }) => over !== undefined || under !== undefined,
        'write over, under or both, in dollars',
      )
      .optional(),
    tier: tiers.optional(),
  },
  'write conditions: tool, operation, capsule, path, host, argv, cost_usd or tier',
);
export type When = z.output<typeof When>;

const Example = z.strictObject(
  {
    capsule: z.string('write the id of a capsule').optional(),
    tool: z.string('write the name of a tool, or chat'),
    args: z.record(z.string(), z.unknown(), "write the tool's arguments").optional(),
    host: z.string('write a host').optional(),
    cost_usd: usd.optional(),
  },
  'write an intent: {capsule, tool, args}',
);
/** An example that a rule must match, or must not. `host` and `cost_usd` are for model calls. */
export type Example = z.output<typeof Example>;

const examples = z
  .array(Example, 'write a list of intents: [{capsule, tool, args}]')
  .max(MAX_EXAMPLES, `at most ${MAX_EXAMPLES}`)
  .optional();

const Rule = z.strictObject(
  {
    id: z
      .string('write a name that no other rule has')
      .regex(/^[a-z0-9][\w.-]{0,63}$/i, 'write 1 to 64 letters, digits, _, - and .'),
    answer: z.enum(['allow', 'ask', 'deny'], 'write allow, ask or deny'),
    when: When,
    why: z
      .string('write a text')
      .min(1, 'leave it out, or say why')
      .max(500, 'at most 500 characters')
      .optional(),
    match: examples,
    not_match: examples,
  },
  'write a rule: id, answer and when',
);

const limit = z.strictObject(
  { run_usd: usd.optional(), day_usd: usd.optional() },
  'write run_usd, day_usd or both, in dollars',
);

/** The schema of a rules file. */
export const RulesFile = z.strictObject(
  {
    rules: z
      .array(Rule, 'write a list of rules')
      .max(MAX_RULES, `at most ${MAX_RULES} rules`)
      .default([]),
    budgets: z
      .strictObject(
        {
          capsules: z
            .record(
              z
                .string()
                .regex(/^(?:\*|[a-z0-9][\w.-]{0,63})$/i, 'write the id of a capsule, or "*"'),
              limit,
            )
            .default({}),
        },
        'write capsules: {<id or "*">: {run_usd, day_usd}}',
      )
      .default({ capsules: {} }),
  },
  'write rules and budgets',
);
export type RulesFile = z.output<typeof RulesFile>;

/** One rule as written, with single values as lists. */
export type RuleText = Omit<z.output<typeof Rule>, 'match' | 'not_match'> & {
  readonly match: readonly Example[];
  readonly notMatch: readonly Example[];
  /** `/…/policy.yaml:12`. */
  readonly where: string;
};

/** The names of all fields, for did-you-mean. */
export const rulesFields = (
  'rules budgets id answer when why match not_match tool operation capsule path host argv cost_usd tier over under args ' +
  'capsules run_usd day_usd'
).split(' ');
