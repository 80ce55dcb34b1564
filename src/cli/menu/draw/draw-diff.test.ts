import { expect, it } from 'vitest';
import { createStyle } from '../../text/style.ts';
import { drawDiff } from './draw-diff.ts';

const style = createStyle({}, false);
const diffOf = (...lines: readonly string[]) =>
  `--- a\n+++ a\n@@ -1,1 +1,1 @@\n${lines.join('\n')}\n`;

it('carriage returns are hidden if all lines have them, and shown if they are a change', () => {
  expect(drawDiff(diffOf('-a\r', '+b\r'), { style })).toEqual(['   1 - a', '   1 + b']);
  expect(drawDiff(diffOf('-a\r', '+a'), { style })).toEqual(['   1 - a\\u000d', '   1 + a']);
});
