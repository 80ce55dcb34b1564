import { failedWith } from '../../contract/errors.ts';
import { didYouMean } from '../../contract/text/closest.ts';
import { type Finding, warning } from '../../registry/finding.ts';
import { type FoundCase, readCases } from '../cases/case-files.ts';

/**
 * Whether the cases in these folders are valid. Does not run them.
 *
 * @param tools Names of all tools.
 */
export async function checkCases(
  folders: readonly string[],
  tools: readonly string[],
): Promise<Finding[]> {
  try {
    const cases = await readCases(folders);
    return cases.flatMap((found) => unknownTools(found, tools));
  } catch (error) {
    if (!failedWith(error, 'CASE_INVALID')) throw error;
    return error.details.found.map((one) => ({ rule: 'case.schema', severity: 'error', ...one }));
  }
}

/** With a misspelled tool, a call that must not be made would always pass. */
function unknownTools({ path, wanted }: FoundCase, tools: readonly string[]): Finding[] {
  const { tool_calls = [], no_tool_calls = [] } = wanted.expect;
  const named = new Set([...tool_calls, ...no_tool_calls].map(({ tool }) => tool));
  return [...named]
    .filter((tool) => !tools.includes(tool))
    .map((tool) => {
      const problem = `expect: there is no tool "${tool}"`;
      return warning('case.tool', path, problem, didYouMean(tool, tools));
    });
}
