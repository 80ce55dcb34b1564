import { describe, expect, it } from 'vitest';
import { hostsInText } from './hosts-in-text.ts';

describe('hostsInText', () => {
  it.each([
    [
      'Fetch https://api.example.com/a?b=c, then http://x.dev:8080.',
      ['api.example.com', 'x.dev:8080'],
    ],
    ['See (https://Example.COM/path).', ['example.com']],
    ['Look at example.com and www.site.io', ['example.com', 'www.site.io']],
    ['`http://127.0.0.1:3000/health`', ['127.0.0.1:3000']],
    ['http://[::1]:8080/', []],
    ['https://good.com@evil.net/', ['evil.net']],
    ['Read report.md, setup.sh, main.rs, data.py and archive.zip', []],
    ['Write to bob@example.com', []],
    ['src/example.com/file', []],
    ['file example.com.txt', []],
    ['http://, https://', []],
    ['', []],
  ])('%s', (text, hosts) => {
    expect([...hostsInText(text)]).toEqual(hosts);
  });

  it('takes no longer for a hostile text', () => {
    for (const part of ['a.', 'a-', 'http://', 'www.a.', 'com.']) {
      expect(hostsInText(part.repeat(300_000)).size).toBeLessThan(20);
    }
  });
});
