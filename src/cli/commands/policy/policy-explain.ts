import { resolve } from 'node:path';
import type { ExplainedIntent } from '../../../app/policy/parse-intent.ts';
import type { Explanation } from '../../../app/policy/policy-api.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { printable } from '../../../contract/text/printable.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { usage } from '../../errors/usage.ts';
import { jsonLine } from '../../io/print-json.ts';
import { readTextFile } from '../../io/read-text-file.ts';
import { policyOptions } from '../../options/standard-options.ts';
import type { CommandContext } from '../../with-capstan.ts';

const MAX_FILE_BYTES = 16 * 1024 ** 2;

/** `policy explain`: one explanation for each intent. The exit code is 0 whatever is decided. */
export async function explainIntents(context: CommandContext): Promise<number> {
  const { capstan, args, io, isJson } = context;
  const { parseIntent, invalidIntent } = await import('../../../app/policy/parse-intent.ts');
  const intents = intentTexts(context).map(({ text, where }): ExplainedIntent => {
    try {
      return parseIntent(JSON.parse(text), where);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw invalidIntent(where, `"${printable(text, 80)}" is not JSON.`);
    }
  });
  const isLine = isJson || args.options['file'] !== undefined;
  for (const explanation of await capstan.policy.explain(intents, policyOptions(context))) {
    io.stdout(isLine ? `${jsonLine(explanation)}\n` : asText(explanation));
  }
  return exitCodes.completed;
}

function asText({ decision, step, rule, tier, reason, sentence }: Explanation): string {
  const steps = ['', 'denials', 'forced asks', 'rules', 'gates', 'the table'];
  return [
    `${decision.toUpperCase()}  by ${escapeText(rule)} (step ${step}, ${steps[step] ?? 'an answer'})`,
    `  ${escapeText(sentence)}`,
    `  tier ${tier ?? '-'}${reason === null ? '' : ` · reason ${reason}`}`,
    '',
  ].join('\n');
}

interface IntentText {
  readonly text: string;
  /** For messages. */
  readonly where: string;
}

function intentTexts({ args, io, text }: CommandContext): readonly IntentText[] {
  const path = text('file');
  const [given] = args.positionals;
  if (given !== undefined && path === undefined) return [{ text: given, where: 'The intent' }];
  if (given !== undefined || path === undefined)
    throw usage(
      `Name one intent as JSON, or a file of them with --file: capstan policy explain '{"capsule": …, "tool": …, "args": {…}}'`,
    );
  const file = resolve(io.cwd, path);
  return readTextFile(file, { cwd: io.cwd, maxBytes: MAX_FILE_BYTES, option: '--file' })
    .split('\n')
    .map((line, at) => ({ text: line, where: `${file}:${at + 1}` }))
    .filter((one) => one.text.trim() !== '');
}
