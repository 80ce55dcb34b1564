import { expect, it } from 'vitest';
import { describeOperation } from '../../src/broker/questions/question.ts';
import { tierOf } from '../../src/cli/approval/approval-block.ts';
import { tierWords } from '../../src/contract/text/tier-words.ts';
import { webFetch } from '../../src/tools/web-fetch.ts';

it.each([
  ['web_fetch.GET', 1, 'read from an unnamed host'],
  ['http_api.HEAD', 1, 'read from an unnamed host'],
  ['http_api.POST', 2, 'execute or change something remote'],
  ['file_io.write', 1, 'write'],
  ['file_io.read', 0, 'read'],
  ['chat', 3, 'spend'],
])('%s of tier %i is called: %s', (operation, tier, words) => {
  expect(tierWords(operation, tier)).toBe(words);
  expect(tierOf({ operation, tier })).toBe(`tier ${tier} (${words})`);
});

it('the request of a question has the tier that was decided, as its card has', () => {
  const args = { url: 'https://example.com/' };
  const intent = { request: { tool: 'web_fetch', args }, tier: 1 };
  const text = describeOperation(webFetch.prepare(args).operation, intent, []);
  expect(text).toContain('web_fetch.GET (tier 1)\n');
});
