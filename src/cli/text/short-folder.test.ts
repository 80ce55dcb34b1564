import { describe, expect, it } from 'vitest';
import { shortFolder } from './short-folder.ts';

describe('a folder in a table', () => {
  const env = { HOME: '/home/ann' };

  it('is relative to the home folder, if it is inside', () => {
    expect(shortFolder('/home/ann/code/app', env)).toBe('~/code/app');
    expect(shortFolder('/home/ann', env)).toBe('~');
    expect(shortFolder('/home/anna/app', env)).toBe('/home/anna/app');
    expect(shortFolder('/home/ann/app', { HOME: '/home/ann/' })).toBe('~/app');
    expect(shortFolder('/srv/app', { HOME: '/' })).toBe('/srv/app');
  });

  it('is cut at its beginning, and shows hidden characters as escapes', () => {
    expect(shortFolder('/srv/very/long/path/to/the/project', env, 12)).toBe('…the/project');
    expect(shortFolder('/srv/a\u202eb\n', env)).toBe('/srv/a\\u202eb\\u000a');
  });
});
