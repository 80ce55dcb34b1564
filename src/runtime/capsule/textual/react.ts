import type { LastBlocks } from './last-blocks.ts';

/** `Action: name` and `Action Input: {…}` at the end of a text. What follows as `Observation:` was made up, and is dropped. */
export function reactCall(text: string): (LastBlocks & { readonly name: string }) | undefined {
  const lines = text.split('\n');
  const observed = lines.findIndex((line) => /^\s*\**Observation\**\s*:/.test(line));
  const own = observed === -1 ? lines : lines.slice(0, observed);
  const at = own.findLastIndex((line) => textAfter(line, 'Action') !== undefined);
  const inputAt = own.findIndex((line, index) => index > at && line.trim() !== '');
  const name = textAfter(own[at] ?? '', 'Action')?.replace(/^[`"'*\s]+|[`"'*\s]+$/g, '');
  const input = textAfter(own[inputAt] ?? '', 'Action Input');
  if (name === undefined || input === undefined || at === -1) return undefined;
  const rest = [input, ...own.slice(inputAt + 1)].join('\n').trim();
  const body = rest.replace(/^```(?:json)?\s*\n?/, '').replace(/\n?```$/, '');
  return { name, prose: own.slice(0, at).join('\n'), bodies: [body] };
}

/** What stands after `Label:` on a line, also where the label is bold; undefined if the line does not begin with it. */
function textAfter(line: string, label: string): string | undefined {
  const text = line.slice(0, 200).trimStart().replace(/^\*+/, '');
  if (!text.startsWith(label)) return undefined;
  const after = text.slice(label.length).replace(/^\**\s*:\**/, ':');
  if (!after.startsWith(':')) return undefined;
  return line.slice(line.indexOf(':') + 1).replace(/^\*+/, '');
}
