import { describe, expect, it } from 'vitest';
import { grantsShell } from '../../contract/permissions/grant.ts';
import { grantsArgv, grantsHost, grantsOperation, grantsPath } from './grants.ts';

describe('grants', () => {
  it.each([
    [undefined, 'file_io.write', true],
    [['read'], 'file_io.read', true],
    [['file_io.read'], 'file_io.read', true],
    [['read'], 'file_io.write', false],
    [['constructor'], 'file_io.read', false],
    [[], 'file_io.read', false],
  ])('of operations %j: %s is %s', (operations, name, expected) => {
    expect(grantsOperation({ operations }, name)).toBe(expected);
  });

  it.each([
    [['**'], '.', true],
    [['**'], '.hidden/x', true],
    [['./reports/*.md'], 'reports/a.md', true],
    [['reports/*.md'], 'reports/sub/a.md', false],
    [['reports/**'], 'reports', true],
    [['reports/**'], 'reports-2/a', false],
    [['*.md'], 'a.md', true],
    [['*.md'], 'sub/a.md', false],
    [['**', '!keys/**'], 'keys/a', false],
    [['**', '!keys/**'], 'src/a', true],
    [['!keys/**'], 'src/a', false],
    [undefined, 'a', false],
  ])('of paths %j: %s is %s', (paths, path, expected) => {
    expect(grantsPath({ paths }, path)).toBe(expected);
  });

  it.each([
    [['api.example.com'], 'https://api.example.com/x', true],
    [['API.example.com'], 'https://api.example.com/x', true],
    [['api.example.com'], 'https://api.example.com.evil.net/', false],
    [['*.example.com'], 'https://a.b.example.com/', true],
    [['*.example.com'], 'https://example.com/', false],
    [['*.example.com'], 'https://evilexample.com/', false],
    [['example.com'], 'https://example.com:8443/', false],
    [['example.com:8443'], 'https://example.com:8443/', true],
    [['example.com:443'], 'https://example.com/', true],
    [['example.com'], 'https://example.com./', true],
    [['*'], 'http://127.0.0.1:3000/', true],
    [['*..'], 'https://evil.example/', false],
    [['*.%2e'], 'https://evil.example/', false],
    [undefined, 'https://example.com/', false],
  ])('of hosts %j: %s is %s', (hosts, url, expected) => {
    expect(grantsHost({ hosts }, new URL(url))).toBe(expected);
  });

  it.each([
    [['git log'], ['git', 'log'], true],
    [['git log'], ['git', 'log', '-p'], false],
    [['git log **'], ['git', 'log'], true],
    [['git log **'], ['git', 'log', '-p', '--all'], true],
    [['git * --stat'], ['git', 'diff', '--stat'], true],
    [['git * --stat'], ['git', '--stat'], false],
    [['git log **'], ['git', 'log; rm', '-rf'], false],
    [['git'], ['/tmp/git'], false],
    [['**'], ['anything', 'at', 'all'], true],
    [['** x'], ['a', 'x'], false],
    [undefined, ['ls'], false],
  ])('of commands %j: %j is %s', (commands, argv, expected) => {
    expect(grantsArgv({ commands }, argv)).toBe(expected);
  });

  it('grant a shell string by ** only', () => {
    expect(grantsShell({ commands: ['**'] })).toBe(true);
    expect(grantsShell({ commands: ['bash **', 'ls'] })).toBe(false);
    expect(grantsShell({})).toBe(false);
  });
});
