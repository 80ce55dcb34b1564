import { makePlaces } from '../../config/places.ts';
import type { AppContext } from '../context/open-context.ts';
import { workspaceFolder } from '../runs/workspace-folder.ts';

/** `capstan.typedLines`: lines that a person typed at the prompt, per workspace, in the state folder. */
export interface TypedLinesApi {
  /** Oldest first, at most 1,000. @param workspace Relative to the `cwd` of Capstan. */
  list(workspace: string): Promise<readonly string[]>;
  /**
   * Adds a line, without known secrets. Not added are lines that are empty or begin with a space, that repeat the last
   * one, and those of more than 10,000 characters.
   */
  add(workspace: string, line: string): Promise<void>;
  /**
   * The files and folders that a line can name, at most 20,000, nearest first. Folders end with a slash. Without what the
   * ignore files of the workspace exclude.
   */
  paths(workspace: string): Promise<readonly string[]>;
}

export const typedLinesApi = (context: AppContext): TypedLinesApi => {
  const fileOf = async (workspace: string) => {
    const { typedLinesFile } = await import('./typed-lines-file.ts');
    makePlaces(context.places);
    return typedLinesFile(context.places.stateDir, workspaceFolder(context.cwd, workspace));
  };
  return {
    list: async (workspace) => (await fileOf(workspace)).list(),
    add: async (workspace, line) =>
      (await fileOf(workspace)).add(context.redactor.redact(line.toWellFormed())),
    async paths(workspace) {
      const { workspacePaths } = await import('./workspace-paths.ts');
      return workspacePaths(workspaceFolder(context.cwd, workspace));
    },
  };
};
