import type { Environment } from '../context/open-context.ts';

/** Notices about the checks of certificates. */
export const certificateNotices = (environment: Environment): readonly string[] =>
  environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0'
    ? [
        'NODE_TLS_REJECT_UNAUTHORIZED=0 is ignored: Capstan always checks certificates. Unset it. To trust another authority, set NODE_EXTRA_CA_CERTS to the path of its certificate.',
      ]
    : [];
