import { printable } from '../../../contract/text/printable.ts';
import { textOfFile } from '../../../platform/try-or.ts';
import { type Check, checksOf } from './check.ts';

const { ok, warn } = checksOf('isolation');
const NAME = 'core files';

/** Whether the memory of a crashed Capstan, which holds keys, would be written down (core(5)). Linux only. */
export function checkCoreFiles(): Check[] {
  const limits = textOfFile('/proc/self/limits');
  const pattern = textOfFile('/proc/sys/kernel/core_pattern').trim();
  return limits === '' || pattern === '' ? [] : [judgeCoreFiles(limits, pattern)];
}

/**
 * @param limits Of `/proc/self/limits`.
 * @param pattern Of `/proc/sys/kernel/core_pattern`.
 */
export function judgeCoreFiles(limits: string, pattern: string): Check {
  const limit = /^Max core file size +(\S+)/m.exec(limits)?.[1];
  const leak = 'if Capstan crashes, its memory, which holds keys,';
  // With a pipe, the kernel ignores the limit, except 1, which means none.
  if (pattern.startsWith('|') && limit !== '1')
    return warn(
      NAME,
      printable(`${leak} is given to ${pattern.slice(1).split(' ')[0]}`),
      'Let sysctl kernel.core_pattern name a file, and start Capstan after `ulimit -c 0`.',
    );
  if (!pattern.startsWith('|') && limit !== '0')
    return warn(
      NAME,
      printable(`${leak} is written to a file by the name ${pattern}`),
      'Start Capstan after `ulimit -c 0`.',
    );
  return ok(NAME, 'none are written if Capstan crashes');
}
