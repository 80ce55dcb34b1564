import { describe, expect, it } from 'vitest';
import { certificateNotices } from './certificate-notices.ts';

describe('certificateNotices', () => {
  it('says that NODE_TLS_REJECT_UNAUTHORIZED=0 is ignored, and nothing of other values', () => {
    expect(certificateNotices({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toEqual([
      expect.stringContaining('NODE_TLS_REJECT_UNAUTHORIZED=0 is ignored'),
    ]);
    expect(certificateNotices({ NODE_TLS_REJECT_UNAUTHORIZED: '1' })).toEqual([]);
    expect(certificateNotices({})).toEqual([]);
  });
});
