import type { ToolDescription } from '../contract/chat.ts';
import { grantedBy } from '../policy/granted.ts';
import type { Tool } from '../tools/tool.ts';
import type { Manifest } from './manifest/manifest.ts';

/** The tools of a capsule as its model gets them: only granted ones, each cut to its grant. */
export function offeredTools(
  { grants }: Pick<Manifest, 'grants'>,
  tools: Iterable<Pick<Tool, 'name' | 'offer'>>,
): ToolDescription[] {
  return [...tools].flatMap((tool) => {
    const grant = Object.hasOwn(grants.tools, tool.name) ? grants.tools[tool.name] : undefined;
    return grant ? [tool.offer(grantedBy(grant, grants.services))] : [];
  });
}
