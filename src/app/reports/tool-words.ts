import type { OperationWords } from '../../tools/define/traits.ts';
import { toolbox } from '../../tools/toolbox.ts';

/**
 * Describes an operation in words; undefined if its tool has none.
 *
 * @param operation `file_io.edit`, `ask_person`
 */
export function toolWords(operation: string): OperationWords | undefined {
  const [tool = '', name = ''] = operation.split('.');
  return toolbox.get(tool)?.words?.(name);
}
