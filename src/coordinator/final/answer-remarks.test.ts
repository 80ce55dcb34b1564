import { describe, expect, it } from 'vitest';
import { withRemarks } from './answer-remarks.ts';
import type { Denial } from './denials.ts';

const sentence = 'It changes a file that is not its own. A person denied it.';
const denied = (operation: string, target: string): Denial => ({
  subtaskId: 's1',
  operation,
  target,
  reason: 'denied',
  sentence,
});
const remarksOn = (text: string, ...denials: Denial[]) =>
  withRemarks(text, { status: 'failed', subtasks: [], denials });

describe('an answer', () => {
  it.each([
    'I wrote notes.md and deleted keep.txt.',
    'notes.md is done: everything went well.',
    `I wrote notes.md. One thing was refused: ${sentence}`,
  ])('that claims a denied effect gets a remark about it: %s', (claim) => {
    const text = remarksOn(
      claim,
      denied('file_io.write', 'a.md'),
      denied('terminal.write', 'rm b'),
    );
    expect(text).toMatch(/^Denied and not done:\n\n- file_io\.write a\.md: /);
    expect(text).toContain('- terminal.write rm b: ');
    expect(text).toContain(claim);
  });

  it('that names the denial and its reason gets none', () => {
    const text = `file_io.write a.md was denied: ${sentence}`;
    expect(remarksOn(text, denied('file_io.write', 'a.md'))).toBe(text);
  });
});
