/** The result of one check of this machine. */
export interface Check {
  readonly area: CheckArea;
  readonly name: string;
  /** `fail`: every run needs it. `warn`: some runs need it, or it is unwise. */
  readonly status: 'ok' | 'warn' | 'fail';
  /** The finding, as a sentence. */
  readonly message: string;
  /** The fix; undefined if there is none, or if the message contains it. */
  readonly fix: string | undefined;
  /** A function of Capstan, or a repair of its doctor, that fixes it. */
  readonly next?: 'download_model' | 'reset_breaker' | 'repair' | 'setup';
}

export type CheckArea =
  | 'installation'
  | 'settings'
  | 'storage'
  | 'models'
  | 'isolation'
  | 'programs'
  | 'terminal';

/** Makes the results of one area. */
export const checksOf = (area: CheckArea) => {
  const checkOf =
    (status: Check['status']) =>
    (name: string, message: string, fix?: string, next?: Check['next']): Check => ({
      ...{ area, name, status, message, fix },
      ...(next && { next }),
    });
  return { ok: checkOf('ok'), warn: checkOf('warn'), fail: checkOf('fail') };
};
