import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Starts the file that installs the packed product before all others, so that they run in parallel. Files that share a
 * process are together at the end: they are short, and only neighbours can share one.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ moduleId, project }: TestSpecification): number {
  if (moduleId.endsWith('package.test.ts')) return 0;
  if (project.config.isolate) return 1;
  return project.name === 'programs' ? 2 : 3;
}
