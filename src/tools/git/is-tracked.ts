import { rmSync } from 'node:fs';
import { makeTemporaryFolder } from '../../platform/files/temporary-folder.ts';
import { launch } from '../../runtime/process/launch.ts';
import type { Sandbox } from '../../runtime/sandbox/sandbox.ts';
import type { Repository } from './find-repository.ts';

const DEADLINE_MS = 5_000;

/**
 * Whether a repository around a workspace tracks files in it. Git is asked in the sandbox: a repository may have it start
 * programs. False where Git gives no answer.
 */
export async function isTracked(
  workspace: string,
  { root, paths }: Repository,
  sandbox: Sandbox,
): Promise<boolean> {
  if (root === workspace) return true;
  const scratch = makeTemporaryFolder('call');
  try {
    const child = await launch(
      sandbox.forTool({
        ...{ argv: ['git', 'ls-files', '-z', '--', '.'], workspace, cwd: workspace, scratch },
        ...{ access: 'read', searchPath: '/usr/local/bin:/usr/bin:/bin', cpuSec: 10, covered: [] },
        gitPaths: paths,
        variables: { GIT_DISCOVERY_ACROSS_FILESYSTEM: '1' },
      }),
    );
    const timer = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS);
    child.stdin.on('error', () => undefined).end();
    child.stderr.resume();
    const isNamed = await new Promise<boolean>((resolve) => {
      child.stdout.once('data', () => resolve(true)).once('close', () => resolve(false));
    });
    clearTimeout(timer);
    child.kill('SIGKILL');
    await child.exited;
    return isNamed;
  } catch {
    return false;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
